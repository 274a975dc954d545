import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { canaryMessage } from '../domain/health/canary.ts'
import { type Release, readRelease } from '../platform/config/release.ts'
import { copyEnvironment } from '../platform/config/settings.ts'

/** Migrating a large copy takes its time. */
const startWithinMs = 10 * 60_000
const answerWithinMs = 30_000

/** The new version is not what it must be; the message is for the operator. */
export class RehearsalFailed extends Error {}

/**
 * Starts the present version over a copy of the site, then the new one, which migrates the copy. The new one must show the
 * same pages, but for those that it says to change, and take messages. Then the present one must start again. Neither runs a job, so nothing is sent.
 * @param copy the data folder of the copy
 * @param paths of pages
 * @returns the pages that look different, of which the release does not say so
 */
export async function rehearse(
  { present, next }: { present: Release; next: Release },
  copy: string,
  paths: readonly string[],
): Promise<{ changedPages: string[] }> {
  const before = await whileServing(present, copy, (url) => readPages(url, paths))
  const refuseBroken = (pages: typeof before) => {
    const broken = pages.find(({ status }, index) => status >= 400 && (before[index]?.status ?? 500) < 400)
    if (broken) throw new RehearsalFailed(`the page ${broken.path} answers ${broken.status}`)
  }
  const found = await whileServing(next, copy, async (url, ask) => {
    const after = await readPages(url, paths)
    refuseBroken(after)
    await sendMessages(url)
    const problem = await ask()
    if (problem) throw new RehearsalFailed(problem)
    const isExpectedChange = (path: string) => next.changedPages.some((one) => one === '*' || one === path)
    return {
      changedPages: after
        .filter(({ path, text }, index) => text !== before[index]?.text && !isExpectedChange(path))
        .map(({ path }) => path),
    }
  })
  try {
    refuseBroken(await whileServing(present, copy, (url) => readPages(url, paths)))
  } catch (error) {
    if (!(error instanceof RehearsalFailed)) throw error
    throw new RehearsalFailed(`there is no way back, on the database as ${next.version} leaves it: ${error.message}`)
  }
  return found
}

/** Starts a version on a free port of this machine, as a process that serves and does nothing else. */
async function whileServing<T>(
  release: Release,
  dataDir: string,
  work: (url: string, runCanary: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const { start } = readRelease(release.folder)
  if (!start) throw new RehearsalFailed(`release.json of ${release.folder} does not say how it is started`)
  const child = spawn(join(release.folder, start.program), [...start.args, 'serve', '0'], {
    cwd: release.folder,
    env: { ...start.environment, ...copyEnvironment(dataDir) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-2_000)
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  try {
    const port = await messageOf(child, ended, 'port', startWithinMs)
    if (port === undefined) throw new RehearsalFailed(`${release.version} does not start: ${output.trim()}`)
    const runCanary = async () => {
      child.send({ canary: true })
      return String((await messageOf(child, ended, 'canary', answerWithinMs)) ?? 'it does not try its contact form')
    }
    return await work(`http://127.0.0.1:${port}`, runCanary)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** @returns undefined when the process ended, or sent nothing in time */
function messageOf(child: ChildProcess, ended: Promise<void>, name: string, withinMs: number): Promise<unknown> {
  const message = new Promise((resolve) => {
    child.on('message', (sent: Record<string, unknown>) => name in sent && resolve(sent[name]))
  })
  return Promise.race([message, ended.then(() => undefined), pause(withinMs, undefined, { ref: false })])
}

async function readPages(url: string, paths: readonly string[]) {
  const pages = []
  for (const path of paths) {
    const { status, text } = await get(`${url}${encodeURI(path)}`, { headers: { 'Sec-Purpose': 'prefetch' } })
    pages.push({ path, status, text: visiblePart(text) })
  }
  return pages
}

/** Scripts, styles and the addresses of built files are different in each version. */
const visiblePart = (html: string): string =>
  html
    .replace(/<(script|style)\b[^>]*>.*?<\/\1>|<link\b[^>]*>/gs, '')
    .replace(/ class="[^"]*"/g, '')
    .replace(/\/assets\/[\w./-]+/g, '/assets/')

/** As a program and as a browser without JavaScript send them. */
async function sendMessages(url: string): Promise<void> {
  const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(canaryMessage) }
  const form = { body: new URLSearchParams({ ...canaryMessage, bericht: `${canaryMessage.bericht} (2)` }) }
  const requests = [
    { ...json, accepted: [201] },
    // With 200 the confirmation stands on a page of its own, as on a site whose home page has no contact form.
    { ...form, accepted: [200, 303] },
  ]
  for (const { accepted, ...body } of requests) {
    const { status } = await get(`${url}/api/contact`, { method: 'POST', redirect: 'manual', ...body })
    if (!accepted.includes(status)) throw new RehearsalFailed(`the contact form answers ${status} to a message`)
  }
}

async function get(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(answerWithinMs) })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    throw new RehearsalFailed(`${new URL(url).pathname} does not answer (${(error as Error).message})`)
  }
}
