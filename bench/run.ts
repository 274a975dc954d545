import { join } from 'node:path'
import { measureBackup } from './backup.ts'
import { audit, firstView, sumOf } from './browser.ts'
import { measureEditor } from './editor.ts'
import { measureEntries } from './entries.ts'
import { measureFiles } from './files.ts'
import { measureForms } from './forms.ts'
import { measureInbox } from './inbox.ts'
import { installedSize } from './installed-size.ts'
import { type Load, loadContact, median, requestHome } from './load.ts'
import { measureContent } from './pages.ts'
import { aFolder, residentMemory, startBare, startEtalage } from './program.ts'
import { type Figure, printFigures, writeFigures } from './report.ts'
import { measureSearch } from './search.ts'
import { admin } from './signed-in.ts'
import { measureStatistics } from './statistics.ts'
import { measureThroughput, serializeResponse, untilCompressed } from './throughput.ts'
import { measureUsers } from './users.ts'

const root = join(import.meta.dirname, '..')
const write = process.argv.includes('--write')
const named = process.argv.indexOf('--only')
const only = named > 0 ? process.argv[named + 1]?.split(',') : undefined
const rounds = 3
const log = (text: string) => process.stderr.write(`${text}\n`)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`
const cost = (load: Load) =>
  load.microseconds === undefined ? '' : `, ${load.microseconds.toFixed(1)} µs of processor each`

const dataDir = aFolder()
await (await startEtalage(dataDir)).stop()

/** The parts, in order. `--only files,inbox` runs these alone. */
const parts: Record<string, () => Promise<Figure[]> | Figure[]> = {
  start: measureStart,
  pages: measurePages,
  contact: measureContact,
  users: measureUsers,
  content: measureContent,
  entries: measureEntries,
  search: measureSearch,
  forms: measureForms,
  statistics: measureStatistics,
  inbox: measureInbox,
  files: measureFiles,
  backup: measureBackup,
  browser: measureBrowser,
  editor: measureEditor,
  installation: measureInstallation,
}

const measured = new Map<string, Figure[]>()
for (const part of only ?? Object.keys(parts)) {
  const measure = parts[part]
  if (!measure) throw new Error(`there is no part ${part}; the parts are ${Object.keys(parts).join(', ')}`)
  measured.set(part, await measure())
}

printFigures([...measured.values()].flat())
if (write) {
  const paths = { figures: join(import.meta.dirname, 'figures.json'), document: join(import.meta.dirname, 'README.md') }
  writeFigures(paths, measured)
}

async function measureStart(): Promise<Figure[]> {
  log('Start, with a database that is there')
  const ours: number[] = []
  const bare: number[] = []
  const answer = serializeResponse(['Content-Length', '2'], Buffer.from('ok'))
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
  return [
    {
      what: 'start of the program to the first 200 of `/`',
      ours: `${whole(median(ours))} ms`,
      bare: `${whole(median(bare))} ms`,
      goal: '≤ 300 ms',
      met: median(ours) <= 300,
      summary: true,
    },
  ]
}

async function measurePages(): Promise<Figure[]> {
  return [...(await measureThroughput()), await measureMemory()]
}

async function measureMemory(): Promise<Figure> {
  log('100,000 requests to each, for the memory')
  const etalage = await startEtalage(dataDir, admin)
  const bare = await startBare(serializeResponse(['Content-Length', '2'], Buffer.from('ok')))
  try {
    await untilCompressed(etalage)
    const idle = residentMemory(etalage.pid)
    await requestHome(etalage, 100_000)
    await requestHome(bare, 100_000)
    const [ours, its] = [residentMemory(etalage.pid), residentMemory(bare.pid)]
    return {
      goal: '≤ 110 MiB',
      what: 'memory after 100,000 requests for `/` (resident)',
      ours: megabytes(ours),
      bare: megabytes(its),
      met: ours <= 110 * 1_048_576,
      note: `${megabytes(idle)} before them`,
      summary: true,
    }
  } finally {
    await bare.stop()
    await etalage.stop()
  }
}

async function measureContact(): Promise<Figure[]> {
  log('POST /api/contact')
  const etalage = await startEtalage(aFolder())
  try {
    const load = await loadContact(etalage, 10)
    return [
      {
        what: '`POST /api/contact`, each on disk before its answer (SQLite), two emails each',
        ours: `${whole(load.rate)}/s, p99 ${load.p99Ms} ms${cost(load)}`,
        bare: '',
        goal: '',
      },
    ]
  } finally {
    await etalage.stop()
  }
}

async function measureBrowser(): Promise<Figure[]> {
  const figures: Figure[] = []
  const etalage = await startEtalage(dataDir)
  try {
    await untilCompressed(etalage)
    for (const path of ['/', '/fa']) {
      log(`First view and Lighthouse of ${path}`)
      const { requests, bytes, paintMs } = await firstView(etalage.url + path)
      const beforeImages = sumOf(bytes) - bytes.image
      const page = await fetch(etalage.url + path, { headers: { 'accept-encoding': 'br' } })
      const html = Number(page.headers.get('content-length'))
      await page.body?.cancel()
      const seen = audit(etalage.url + path, rounds)
      figures.push(
        {
          what: `first view of \`${path}\` in Chromium, before images`,
          ours: `${requests} requests, ${kilobytes(beforeImages)}`,
          bare: '',
          goal: '≤ 6 requests, ≤ 60 KiB',
          met: requests <= 6 && beforeImages <= 60 * 1024,
          note: `document ${kilobytes(bytes.document)}, script ${kilobytes(bytes.script)}, fonts ${kilobytes(bytes.font)}, styles ${kilobytes(bytes.stylesheet)}; images near the screen ${kilobytes(bytes.image)}`,
        },
        {
          what: `HTML of \`${path}\` with its styles, brotli`,
          ours: kilobytes(html),
          bare: '',
          goal: '≤ 14 KiB',
          met: html <= 14 * 1024,
          summary: path === '/',
        },
        {
          what: `JavaScript of the first view of \`${path}\``,
          ours: kilobytes(bytes.script),
          bare: '',
          goal: '≤ 3 KiB',
          met: bytes.script <= 3 * 1024,
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
          summary: path === '/',
          note: `on this machine, not slowed down: ${whole(paintMs)} ms`,
        },
        {
          what: `TBT and CLS of \`${path}\`, Lighthouse mobile`,
          ours: `${whole(seen.tbt)} ms, ${seen.cls.toFixed(3)}`,
          bare: '',
          goal: '0, 0',
          met: Math.round(seen.tbt) === 0 && Number(seen.cls.toFixed(3)) === 0,
          note: 'a busy machine blocks the page too',
        },
      )
    }
  } finally {
    await etalage.stop()
  }
  return figures
}

function measureInstallation(): Figure[] {
  const size = installedSize(root)
  return [
    {
      what: '`node_modules` without Node and test tools',
      ours: megabytes(size),
      bare: '',
      goal: '≤ 300 MiB',
      met: size <= 300 * 1_048_576,
    },
  ]
}
