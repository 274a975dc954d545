import { firstView, sumOf } from './browser.ts'
import { onBothDatabases, type Where, withSite } from './databases.ts'
import { type Load, loadPage, loadRefused, median } from './load.ts'
import { addPeople } from './people.ts'
import { aFolder, type Running, startEtalage } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn, signIn, timesOf } from './signed-in.ts'

const sizes = [100, 1_000, 100_000] as const

/** A page of 100 for every order, filter and search of the list. */
const lists = {
  'by name': 'pageSize=100',
  'the latest sign-ins': 'pageSize=100&sort=-lastSignedInAt',
  'of one role': 'pageSize=100&roleId=3',
  blocked: 'pageSize=100&blocked=true',
  'search that finds few': 'pageSize=100&search=anouk+77@',
  'search that finds all': 'pageSize=100&search=example',
  'search by a first name': 'pageSize=100&search=sanne',
  'search in a role': 'pageSize=100&search=bakker&roleId=3',
} as const

const log = (text: string) => process.stderr.write(`${text}\n`)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

/** `GET /api/users` with few and with very many users, on both databases; the session check of each request; signing in. */
export async function measureUsers(): Promise<Figure[]> {
  return [...(await onBothDatabases(measureLists)), ...(await measureSignIn())]
}

async function measureLists(name: string, server?: string): Promise<Figure[]> {
  const times = new Map<string, number[]>()
  for (const size of sizes) {
    log(`GET /api/users with ${whole(size)} users on ${name}`)
    const fill = (where: Where) => addPeople(where, size)
    await withSite({ server, database: `users_${size}`, fill, settings: admin }, async (etalage) => {
      const cookie = await firstSignIn(etalage)
      for (const [what, query] of Object.entries(lists)) {
        const { median: taken } = await timesOf(etalage, `/api/users?${query}`, cookie)
        times.set(what, [...(times.get(what) ?? []), taken])
      }
    })
  }
  return [...times].map(([what, [few = 0, some = 0, many = 0]]) => ({
    what: `\`GET /api/users\`, a page of 100 ${what}, ${name}: 100, 1,000 and 100,000 users`,
    ours: `${few.toFixed(2)}, ${some.toFixed(2)} and ${many.toFixed(2)} ms`,
    bare: '',
    goal: '100,000 at most twice 1,000',
    met: many <= 2 * some,
    note: `${(many / some).toFixed(2)} times`,
  }))
}

async function measureSignIn(): Promise<Figure[]> {
  log('The session check, and signing in')
  const etalage = await startEtalage(aFolder(), admin)
  try {
    const cookie = await firstSignIn(etalage)
    const strangers = { cookie: 'etalage.session_token=nobody' }
    const path = '/api/rights'
    const known = await loadPage(etalage, path, { headers: { cookie } })
    const { rate: nobody } = await loadRefused(etalage, path, strangers)
    return [
      {
        what: 'session check: a request of somebody who is signed in',
        ours: `${whole(known.rate)}/s${cost(known)}`,
        bare: '',
        goal: '',
        note: `without a session ${whole(nobody)}/s`,
      },
      await signInFigure(etalage),
      ...(await viewFigures(etalage, cookie)),
    ]
  } finally {
    await etalage.stop()
  }
}

/** The password hash is slow by design; nothing else of a sign-in is. */
async function signInFigure(etalage: Running): Promise<Figure> {
  const { hashPassword } = await import('../src/platform/auth/password.ts')
  const hashes: number[] = []
  const signIns: number[] = []
  for (let round = 0; round < 25; round++) {
    const begun = performance.now()
    await hashPassword(admin.ADMIN_PASSWORD)
    const between = performance.now()
    await signIn(etalage)
    hashes.push(between - begun)
    signIns.push(performance.now() - between)
  }
  const [hash, whole] = [median(hashes), median(signIns)]
  return {
    what: '`POST /api/login`, one after the other',
    ours: `${whole.toFixed(1)} ms`,
    bare: '',
    goal: 'little more than the hash',
    met: whole <= hash * 1.5,
    note: `the hash alone ${hash.toFixed(1)} ms`,
  }
}

/** The files that a browser loads to sign in, and for the first screen of the admin after that. */
async function viewFigures(running: Running, cookie: string): Promise<Figure[]> {
  log('First view of /login and /user')
  const { bytes: login, requests: asked } = await firstView(`${running.url}/login`)
  // The first requests get gzip; brotli is ready a moment later.
  await firstView(`${running.url}/user`, cookie)
  const { bytes: user, requests, paintMs } = await firstView(`${running.url}/user`, cookie)
  const [plain, parts] = [sumOf(login) - login.font, user.script + user.stylesheet]
  return [
    {
      what: 'first view of `/login` in Chromium, beside its fonts',
      ours: `${asked} requests, ${kilobytes(plain)}`,
      bare: '',
      goal: '≤ 20 KB',
      met: plain <= 20_000,
      note: `document ${kilobytes(login.document)}, script ${kilobytes(login.script)}; fonts ${kilobytes(login.font)}`,
    },
    {
      what: 'first view of `/user` in Chromium: scripts and styles',
      ours: `${requests} requests, ${kilobytes(parts)}`,
      bare: '',
      goal: '≤ 200 KB',
      met: parts <= 200_000,
      note: `all ${kilobytes(sumOf(user))}, fonts ${kilobytes(user.font)}; largest paint on this machine ${whole(paintMs)} ms`,
    },
  ]
}

const cost = (load: Load) =>
  load.microseconds === undefined ? '' : `, ${load.microseconds.toFixed(0)} µs of processor each`
