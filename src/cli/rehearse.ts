import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { canaryMessage } from '../domain/health/canary.ts'
import { type Release, readRelease } from '../platform/config/release.ts'
import { environmentOfCopy } from '../platform/config/settings.ts'

/** Long, because migrating a large copy takes minutes. */
const startTimeoutMs = 10 * 60_000
const responseTimeoutMs = 30_000

/** The new version did not pass the rehearsal; the message is for the operator. */
export class RehearsalFailed extends Error {}

/**
 * Starts the current version on a copy of the site, then the new one, which migrates the copy. The new one must not
 * break a page, and must accept messages. Then the current one must start again on the migrated copy. Neither runs
 * jobs, so nothing is sent.
 * @param copy the data folder of the copy
 * @param paths the URL paths of the pages to compare
 * @returns the paths of pages that look different although the release does not announce it
 */
export async function rehearse(
  { current, next }: { current: Release; next: Release },
  copy: string,
  paths: readonly string[],
): Promise<{ changedPages: string[] }> {
  const before = await whileServing(current, copy, (url) => readPages(url, paths))
  const refuseBroken = (pages: typeof before) => {
    const broken = pages.find(({ status }, index) => status >= 400 && (before[index]?.status ?? 500) < 400)
    if (broken) throw new RehearsalFailed(`the page ${broken.path} answers ${broken.status}`)
  }
  const result = await whileServing(next, copy, async (url, runCanary) => {
    const after = await readPages(url, paths)
    refuseBroken(after)
    await sendMessages(url)
    const problem = await runCanary()
    if (problem) throw new RehearsalFailed(problem)
    const isExpectedChange = (path: string) =>
      next.changedPages.some((announced) => announced === '*' || announced === path)
    return {
      changedPages: after
        .filter(({ path, text }, index) => text !== before[index]?.text && !isExpectedChange(path))
        .map(({ path }) => path),
    }
  })
  try {
    refuseBroken(await whileServing(current, copy, (url) => readPages(url, paths)))
  } catch (error) {
    if (!(error instanceof RehearsalFailed)) throw error
    throw new RehearsalFailed(`there is no way back, on the database as ${next.version} leaves it: ${error.message}`)
  }
  return result
}

/** Runs a version on a free local port, without jobs. `runCanary` resolves with a problem, or an empty text. */
async function whileServing<T>(
  release: Release,
  dataDir: string,
  work: (url: string, runCanary: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const { start } = readRelease(release.folder)
  if (!start) throw new RehearsalFailed(`release.json of ${release.folder} does not say how it is started`)
  const child = spawn(join(release.folder, start.program), [...start.args, 'serve', '0'], {
    cwd: release.folder,
    env: { ...start.environment, ...environmentOfCopy(dataDir) },
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
    const port = await waitForMessage(child, ended, 'port', startTimeoutMs)
    if (port === undefined) throw new RehearsalFailed(`${release.version} does not start: ${output.trim()}`)
    const runCanary = async () => {
      child.send({ canary: true })
      return String(
        (await waitForMessage(child, ended, 'canary', responseTimeoutMs)) ?? 'it does not try its contact form',
      )
    }
    return await work(`http://127.0.0.1:${port}`, runCanary)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** Waits for a message with this field. @returns its value; undefined when the process ended, or at the timeout */
function waitForMessage(child: ChildProcess, ended: Promise<void>, name: string, timeoutMs: number): Promise<unknown> {
  const message = new Promise((resolve) => {
    child.on('message', (fields: Record<string, unknown>) => name in fields && resolve(fields[name]))
  })
  return Promise.race([message, ended.then(() => undefined), pause(timeoutMs, undefined, { ref: false })])
}

async function readPages(url: string, paths: readonly string[]) {
  const pages = []
  for (const path of paths) {
    // A prefetch is not counted as a view.
    const { status, text } = await get(`${url}${encodeURI(path)}`, { headers: { 'Sec-Purpose': 'prefetch' } })
    pages.push({ path, status, text: visiblePart(text) })
  }
  return pages
}

/** HTML without what differs in each version: scripts, styles, classes and the URLs of built files. */
const visiblePart = (html: string): string =>
  html
    .replace(/<(script|style)\b[^>]*>.*?<\/\1>|<link\b[^>]*>/gs, '')
    .replace(/ class="[^"]*"/g, '')
    .replace(/\/assets\/[\w./-]+/g, '/assets/')

/** Sends one message as JSON, and one like a browser without JavaScript. @throws {RehearsalFailed} when refused */
async function sendMessages(url: string): Promise<void> {
  const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(canaryMessage) }
  const form = { body: new URLSearchParams({ ...canaryMessage, bericht: `${canaryMessage.bericht} (2)` }) }
  const requests = [
    { ...json, accepted: [201] },
    // 200 is a confirmation page, on a site whose home page has no contact form; 303 redirects back to the form.
    { ...form, accepted: [200, 303] },
  ]
  for (const { accepted, ...body } of requests) {
    const { status } = await get(`${url}/api/contact`, { method: 'POST', redirect: 'manual', ...body })
    if (!accepted.includes(status)) throw new RehearsalFailed(`the contact form answers ${status} to a message`)
  }
}

async function get(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(responseTimeoutMs) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw new RehearsalFailed(`${new URL(url).pathname} does not answer (${(error as Error).message})`)
  }
}
