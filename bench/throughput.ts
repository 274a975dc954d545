import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { browserHeaders, type Load, loadPage, medianLoad } from './load.ts'
import { addPeople } from './people.ts'
import { aFolder, type Running, startBare, startEtalage } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn } from './signed-in.ts'

const rounds = 5
const say = (text: string) => process.stderr.write(`${text}\n`)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const cost = (load: Load) =>
  load.microseconds === undefined ? '' : `, ${load.microseconds.toFixed(1)} µs of processor each`

/** The requests whose rate is compared with that of a bare server, which sends the same bytes. */
const requests = {
  cached: { what: '`/` from the page cache, brotli', path: '/', signedIn: false, goal: 0.95 },
  rendered: { what: '`/` rendered for each request', path: '/', signedIn: true, goal: 0.02 },
  users: { what: '`GET /api/users?pageSize=100`', path: '/api/users?pageSize=100', signedIn: true, goal: 0.0375 },
  session: { what: 'session check: `GET /api/rights`', path: '/api/rights', signedIn: true, goal: 0.1 },
}

/** The responses a second of the program, in turns with a bare server. */
export async function measureThroughput(only = Object.keys(requests) as (keyof typeof requests)[]): Promise<Figure[]> {
  const dataDir = aFolder()
  await addPeople({ dataDir }, 1_000)
  const etalage = await startEtalage(dataDir, admin)
  const figures: Figure[] = []
  try {
    await untilCompressed(etalage)
    for (const name of only) {
      const { what, path, signedIn, goal } = requests[name]
      say(`${what}, in turns with a bare server`)
      const headers = signedIn ? { cookie: await firstSignIn(etalage) } : undefined
      const bare = await startBare(await responseOf(etalage, path, { ...browserHeaders, ...headers }))
      try {
        const ours: Load[] = []
        const bares: Load[] = []
        // The first round is not counted: both compile while they run.
        for (let round = -1; round < rounds; round++) {
          const [our, its] = [await loadPage(etalage, path, { headers }), await loadPage(bare, path, { headers })]
          if (round < 0) continue
          ours.push(our)
          bares.push(its)
        }
        figures.push(compared({ what, goal }, medianLoad(ours), medianLoad(bares)))
      } finally {
        await bare.stop()
      }
    }
  } finally {
    await etalage.stop()
  }
  return figures
}

function compared({ what, goal }: { what: string; goal: number }, ours: Load, bare: Load): Figure {
  const share = ours.rate / bare.rate
  const digits = goal < 0.5 ? 4 : 2
  return {
    what,
    ours: `${whole(ours.rate)}/s${cost(ours)}`,
    bare: `${whole(bare.rate)}/s${cost(bare)}`,
    goal: `≥ ${goal} of bare`,
    met: share >= goal,
    note: `${share.toFixed(digits)} of bare${byProcessor(ours, bare, digits)}`,
    summary: true,
  }
}

const byProcessor = (ours: Load, bare: Load, digits: number): string =>
  ours.microseconds && bare.microseconds
    ? `; by processor time ${(bare.microseconds / ours.microseconds).toFixed(digits)}`
    : ''

/** Waits for the Brotli encoding, which follows the first response. */
export async function untilCompressed(running: Running) {
  for (const path of ['/', '/fa']) {
    for (let tries = 0; tries < 500; tries++) {
      const response = await fetch(running.url + path, { headers: { 'accept-encoding': 'br' } })
      await response.body?.cancel()
      if (response.headers.get('content-encoding') === 'br') break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** The response of the program, for the bare server to repeat: the same bytes, the same headers. @returns its file */
async function responseOf(running: Running, path: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    request(running.url + path, { headers, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
      const headers: string[] = []
      for (let at = 0; at < response.rawHeaders.length; at += 2) {
        const name = response.rawHeaders[at] as string
        if (!own.has(name.toLowerCase())) headers.push(name, response.rawHeaders[at + 1] as string)
      }
      resolve(serializeResponse(headers, Buffer.concat(chunks)))
    })
      .on('error', reject)
      .end()
  })
}

/** @returns the file of a response for the bare server */
export function serializeResponse(headers: string[], body: Buffer): string {
  const path = join(aFolder(), 'response.json')
  writeFileSync(path, JSON.stringify({ headers, body: body.toString('base64') }))
  return path
}
