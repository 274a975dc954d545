import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { audit, firstView } from './browser.ts'
import { measureFiles } from './files.ts'
import { measureInbox } from './inbox.ts'
import { installedSize } from './installed-size.ts'
import { type Load, loadContact, loadPage, median, medianLoad } from './load.ts'
import { measureContent } from './pages.ts'
import { aFolder, type Running, residentMemory, startBare, startEtalage } from './program.ts'
import { type Figure, printFigures, writeFigures } from './report.ts'
import { admin, firstSignIn } from './signed-in.ts'
import { measureUsers } from './users.ts'

const root = join(import.meta.dirname, '..')
const write = process.argv.includes('--write')
const named = process.argv.indexOf('--only')
const only = named > 0 ? process.argv[named + 1]?.split(',') : undefined
const rounds = 3
const say = (text: string) => process.stderr.write(`${text}\n`)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`
const cost = (load: Load) =>
  load.microseconds === undefined ? '' : `, ${load.microseconds.toFixed(1)} µs of processor each`

const figures: Figure[] = []

const dataDir = aFolder()
await (await startEtalage(dataDir)).stop()

/** What is measured, in turn: each part puts its figures at the end. `--only files,inbox` measures these alone. */
const parts: Record<string, () => Promise<void> | void> = {
  start: measureStart,
  pages: measurePages,
  contact: measureContact,
  users: async () => void figures.push(...(await measureUsers())),
  content: async () => void figures.push(...(await measureContent())),
  inbox: async () => void figures.push(...(await measureInbox())),
  files: async () => void figures.push(...(await measureFiles())),
  browser: measureBrowser,
  installation: measureInstallation,
}

for (const part of only ?? Object.keys(parts)) {
  const measure = parts[part]
  if (!measure) throw new Error(`there is no part ${part}; the parts are ${Object.keys(parts).join(', ')}`)
  await measure()
}

printFigures(figures)
if (write && only) throw new Error('the table is written whole: leave --only out')
if (write) writeFigures(join(root, 'bench', 'README.md'), figures)

async function measureStart() {
  say('Start, with a database that is there')
  const ours: number[] = []
  const bare: number[] = []
  const answer = keepAnswer(['Content-Length', '2'], Buffer.from('ok'))
  for (let round = 0; round < 7; round++) {
    for (const [times, begin] of [
      [ours, () => startEtalage(dataDir)],
      [bare, () => startBare(answer)],
    ] as const) {
      const running = await begin()
      times.push(running.firstAnswerMs)
      await running.stop()
    }
  }
  figures.push({
    what: 'start of the program to the first 200 of `/`',
    ours: `${whole(median(ours))} ms`,
    bare: `${whole(median(bare))} ms`,
    goal: '≤ 300 ms',
    met: median(ours) <= 300,
  })
}

async function measurePages() {
  const etalage = await startEtalage(dataDir, admin)
  await untilPacked(etalage)
  const bare = await startBare(await answerOf(etalage))
  try {
    say('100,000 requests to each, for the memory')
    const idle = residentMemory(etalage.pid)
    await loadPage(etalage, '/', { amount: 100_000 })
    await loadPage(bare, '/', { amount: 100_000 })
    const [mine, its] = [residentMemory(etalage.pid), residentMemory(bare.pid)]

    say('/ in turns, a page made anew last')
    const ours: Load[] = []
    const bares: Load[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await loadPage(etalage, '/', {}))
      bares.push(await loadPage(bare, '/', {}))
    }
    // Not before the memory is measured: no visitor who reads needs what signs in.
    const anew = await loadPage(etalage, '/', { headers: { cookie: await firstSignIn(etalage) } })
    const [our, its2] = [medianLoad(ours), medianLoad(bares)]
    const share = our.rate / its2.rate
    figures.push(
      {
        what: '`/`, kept, brotli',
        ours: `${whole(our.rate)}/s${cost(our)}`,
        bare: `${whole(its2.rate)}/s${cost(its2)}`,
        goal: '≥ 0.9 of bare',
        met: share >= 0.9,
        note: `${share.toFixed(2)} of bare${our.microseconds && its2.microseconds ? `; by processor time ${(its2.microseconds / our.microseconds).toFixed(2)}` : ''}`,
      },
      {
        what: '`/`, kept, p99',
        ours: `${our.p99Ms} ms`,
        bare: `${its2.p99Ms} ms`,
        goal: 'near bare',
        met: our.p99Ms <= its2.p99Ms + 2,
      },
      {
        what: '`/`, made anew for each request',
        ours: `${whole(anew.rate)}/s${cost(anew)}`,
        bare: `${whole(its2.rate)}/s`,
        goal: '≥ 0.02 of bare',
        met: anew.rate / its2.rate >= 0.02,
        note: `${(anew.rate / its2.rate).toFixed(3)} of bare`,
      },
      {
        what: 'memory after 100,000 requests (resident)',
        ours: megabytes(mine),
        bare: megabytes(its),
        goal: '≤ 110 MiB',
        met: mine <= 110 * 1_048_576,
        note: `${megabytes(idle)} before them`,
      },
    )
  } finally {
    await bare.stop()
    await etalage.stop()
  }
}

async function measureContact() {
  say('POST /api/contact')
  const etalage = await startEtalage(aFolder())
  try {
    const load = await loadContact(etalage, 10)
    figures.push({
      what: '`POST /api/contact`, each on disk before its answer (SQLite), two letters each',
      ours: `${whole(load.rate)}/s, p99 ${load.p99Ms} ms${cost(load)}`,
      bare: '',
      goal: '',
    })
  } finally {
    await etalage.stop()
  }
}

async function measureBrowser() {
  const etalage = await startEtalage(dataDir)
  try {
    await untilPacked(etalage)
    for (const path of ['/', '/fa']) {
      say(`First view and Lighthouse of ${path}`)
      const view = await firstView(etalage.url + path)
      const page = await fetch(etalage.url + path, { headers: { 'accept-encoding': 'br' } })
      const html = Number(page.headers.get('content-length'))
      await page.body?.cancel()
      const seen = await audit(etalage.url + path, rounds)
      figures.push(
        {
          what: `first view of \`${path}\` in Chromium`,
          ours: `${view.requests} requests, ${kilobytes(view.bytes.all)}`,
          bare: '',
          goal: '≤ 6 requests, ≤ 60 KiB',
          met: view.requests <= 6 && view.bytes.all <= 60 * 1024,
          note: `document ${kilobytes(view.bytes.document)}, script ${kilobytes(view.bytes.script)}, fonts ${kilobytes(view.bytes.font)}, other ${kilobytes(view.bytes.other + view.bytes.stylesheet)}`,
        },
        {
          what: `HTML of \`${path}\` with its styles, brotli`,
          ours: kilobytes(html),
          bare: '',
          goal: '≤ 14 KiB',
          met: html <= 14 * 1024,
        },
        {
          what: `Lighthouse mobile of \`${path}\`: performance, accessibility, best practices, SEO`,
          ours: `${seen.performance}, ${seen.accessibility}, ${seen.bestPractices}, ${seen.seo}`,
          bare: '',
          goal: '100 × 4',
          met: [seen.performance, seen.accessibility, seen.bestPractices, seen.seo].every((score) => score === 100),
          note: seen.lost.join(', '),
        },
        {
          what: `LCP of \`${path}\`, Lighthouse mobile (slow phone, slow network)`,
          ours: `${whole(seen.lcp)} ms`,
          bare: '',
          goal: '≤ 800 ms',
          met: seen.lcp <= 800,
          note: `on this machine, not slowed down: ${whole(view.paintMs)} ms; TBT ${whole(seen.tbt)} ms, CLS ${seen.cls.toFixed(3)}`,
        },
      )
    }
  } finally {
    await etalage.stop()
  }
}

function measureInstallation() {
  const size = installedSize(root)
  figures.push({
    what: '`node_modules` without Node and test tools',
    ours: megabytes(size),
    bare: '',
    goal: '≤ 300 MiB',
    met: size <= 300 * 1_048_576,
  })
}

/** Brotli follows a moment after the first answer. */
async function untilPacked(running: Running) {
  for (const path of ['/', '/fa']) {
    for (let tries = 0; tries < 500; tries++) {
      const answer = await fetch(running.url + path, { headers: { 'accept-encoding': 'br' } })
      await answer.body?.cancel()
      if (answer.headers.get('content-encoding') === 'br') break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** What the program gives to a browser, for the bare server to give too: the same bytes, the same headers. */
async function answerOf(running: Running): Promise<string> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request(`${running.url}/`, { headers: { 'accept-encoding': 'br' }, agent: false }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      const own = new Set(['date', 'connection', 'keep-alive'])
      const headers: string[] = []
      for (let at = 0; at < answer.rawHeaders.length; at += 2) {
        const name = answer.rawHeaders[at] as string
        if (!own.has(name.toLowerCase())) headers.push(name, answer.rawHeaders[at + 1] as string)
      }
      resolve(keepAnswer(headers, Buffer.concat(chunks)))
    })
      .on('error', reject)
      .end()
  })
}

function keepAnswer(headers: string[], body: Buffer): string {
  const path = join(aFolder(), 'answer.json')
  writeFileSync(path, JSON.stringify({ headers, body: body.toString('base64') }))
  return path
}
