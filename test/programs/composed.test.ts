import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '../../scripts/setup/debian-programs.mjs'
import { server } from '../../scripts/setup/node26.mjs'
import { readRelease } from '../../src/platform/config/release.ts'
import { certificate, certificateKey } from '../support/certificate.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { type Composition, composeUp } from '../support/compose.ts'
import type { Container } from '../support/compose-services.ts'
import { aRootFolder, buildImage, type Image } from '../support/dockerfile.ts'
import { freePort } from '../support/free-port.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { publishedPage } from '../support/pages.ts'
import { password, signInWithPassword, withCookie } from '../support/staff.ts'
import { aPdf, aPhoto, uploadFile, waitUntilProcessed } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

// No container engine is needed: the steps of the Dockerfile and of the compose files, in their order, on this machine.
let image: Image
beforeAll(() => {
  image = buildImage()
})
const inImage = (...path: string[]) => join(image.root, image.workdir, ...path)

describe('the image', () => {
  test('has a release and no build tools, and starts as `npm start` does', () => {
    const packages = readdirSync(inImage('node_modules'))
    // The build contains React.
    for (const name of ['vite', 'react']) expect(packages).not.toContain(name)
    const { version, start } = readRelease(inImage())
    expect([version, start]).toEqual([
      JSON.parse(readFileSync('package.json', 'utf8')).version,
      { ...readRelease(process.cwd()).start, program: 'bin/node' },
    ])
    expect(image.command).toEqual(['node', ...server.flags, 'dist/server/main.js'])
    expect(readFileSync(inImage('launcher.mjs'), 'utf8')).toBe(readFileSync('scripts/launcher.mjs', 'utf8'))
  })

  test('installs each library of the system that the release needs', () => {
    const names = readdirSync(inImage(), { recursive: true, encoding: 'utf8' })
    const binaries = names.filter((name) => name === 'bin/node' || /\.node$|\.so(\.\d+)*$/.test(name))
    expect(binaries.length).toBeGreaterThan(2)
    const { stdout } = spawnSync(
      'ldd',
      binaries.map((name) => inImage(name)),
      { encoding: 'utf8' },
    )
    const needed = [...stdout.matchAll(/^\s+(\S+\.so\S*) => (?!.*\/app\/)/gm)].map(([, name = '']) => name)
    // Of the C library itself, in every image of Debian.
    const others = needed.filter((name) => !/^lib(c|m|dl|rt|pthread|resolv|gcc_s)\.so/.test(name))
    expect(new Set(others.map(packageOf))).toEqual(new Set(image.packages.filter((name) => name.startsWith('lib'))))
  })
})

/** As Debian names the packages of libraries: `libatomic.so.1` is in `libatomic1`. */
const packageOf = (library: string) => library.replace(/\.so\.(\d+).*$/, '$1')

const host = 'www.maaslicht.localhost'

interface Visit {
  request: (path: string, init?: RequestInit) => Promise<Response>
  /** The same from another address. */
  from(address: string): Visit
}

/** A browser that trusts an authority. @param of.name what the certificate is for */
function aBrowser(port: number, of: { authority: string; name?: string }, localAddress = '127.0.0.1'): Visit {
  const agent = new Agent({ keepAlive: true, ca: of.authority, servername: of.name ?? host })
  closeAfterTest(() => agent.destroy())
  const request: Visit['request'] = async (path, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers))
    const body = init.body ? Buffer.from(await new Response(init.body).arrayBuffer()) : undefined
    const { method = 'GET' } = init
    const asked = httpsRequest({
      ...{ host: '127.0.0.1', port, localAddress, path, method, agent },
      headers: { ...headers, host, ...(body && { 'content-length': String(body.length) }) },
    })
    asked.end(body)
    const [answer] = await once(asked, 'response')
    const content = await buffer(answer)
    const answered = new Headers()
    for (const [name, values] of Object.entries<string[]>(answer.headersDistinct)) {
      for (const value of values) answered.append(name, value)
    }
    return new Response(content.length ? new Uint8Array(content) : null, {
      status: answer.statusCode,
      headers: answered,
    })
  }
  return { request, from: (address) => aBrowser(port, of, address) }
}

/** A command for the operator out of the documents, as the arguments after the name of the service. */
function documented(path: string, command: string): string[] {
  const line = readFileSync(path, 'utf8')
    .split('\n')
    .find((one) => one.startsWith('docker compose ') && one.includes(command))
  return line?.split(' exec site ')[1]?.split(' ') ?? []
}

/** What people do with a site that was just started, through its balancer. */
async function aUsedSite(composition: Composition, operate: Container) {
  const { publishedPorts, volumeFolder } = composition
  const authority = await waitUntil(() => tryRead(authorityIn(volumeFolder('certificates'))), 'certificate')
  const { request, from } = aBrowser(publishedPorts.get(443) ?? 0, { authority })
  await waitUntil(async () => (await request('/')).status === 200, 'site behind the balancer')
  const plain = httpRequest({ host: '127.0.0.1', port: publishedPorts.get(80) ?? 0, headers: { host } }).end()
  const [redirect] = await once(plain, 'response')
  redirect.resume()
  expect([redirect.statusCode, redirect.headers.location]).toEqual([308, `https://${host}/`])
  expect((await request('/')).headers.get('strict-transport-security')).toContain('max-age')

  const made = await operate.exec(documented('docs/operate/deploy.md', 'create-admin'))
  expect([made.code, made.err]).toEqual([0, ''])
  const link = new URL(/https:\S+/.exec(made.out)?.[0] ?? '')
  expect(link.host).toBe(host)
  const token = link.searchParams.get('token') ?? ''
  const body = new URLSearchParams({ token, password, repeat: password })
  const headers = { origin: link.origin, 'content-type': 'application/x-www-form-urlencoded' }
  expect((await request(link.pathname, { method: 'POST', headers, body })).status).toBe(303)
  const bente = await signInWithPassword({ request }, 'bente@example.nl')
  expect(bente.cookie).toContain('__Secure-')

  await publishedPage(bente, { title: 'Onze werkplaats', slug: 'werkplaats' })
  const list = aPdf('Prijslijst')
  const { url } = await uploadFile(bente, 'prijslijst.pdf', list)
  const { id } = await uploadFile(bente, 'werkplaats.jpg', await aPhoto(80, 60))
  expect((await waitUntilProcessed(bente, id)).state).toBe('ready')
  const shows = async (through: Visit['request']) => {
    expect(await (await through('/werkplaats')).text()).toContain('Over Onze werkplaats')
    expect(Buffer.from(await (await through(url)).arrayBuffer()).equals(list)).toBe(true)
    const me = await withCookie({ request: through }, bente.cookie).get('/api/me')
    expect(me.status).toBe(200)
  }
  await waitUntil(async () => (await request('/werkplaats')).status === 200, 'published page')
  await shows(request)

  // A limit for each visitor, whom the program knows by what its balancer says.
  for (let count = 0; count < 20; count++) await sendMessage({ request }, 'roya')
  await expect(sendMessage({ request }, 'roya')).rejects.toThrow('too_many')
  await sendMessage({ request: from('127.0.0.2').request }, 'roya')
  const stored = async () => (await (await bente.get('/api/messages?pageSize=100')).json()).data.length
  expect(await stored()).toBe(21)
  return { request, from, bente, shows, stored, authority }
}

/** Where Caddy stores the certificate of its own authority. */
const authorityIn = (folder: string) => join(folder, 'caddy/pki/authorities/local/root.crt')

const tryRead = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

// Linux alone has all of 127.0.0.0/8, whose addresses are those of different visitors here.
const isPossible =
  process.platform === 'linux' && findProgram('caddy') && findProgram('haproxy') && findProgram('pg_isready')

describe.runIf(isPossible)('the compose file', () => {
  test('for one copy starts the site with SQLite behind Caddy, which keeps everything when its image is replaced', async () => {
    const composition = await composeUp('deploy/compose.yaml', { SITE_HOST: host }, image)
    const site = () => composition.containers.get('site') as Container
    const { request, shows, stored, authority } = await aUsedSite(composition, site())
    const backedUp = await site().exec(documented('docs/operate/update.md', 'backup'))
    expect([backedUp.code, backedUp.err]).toEqual([0, ''])

    await composition.replace('caddy')
    expect(readFileSync(authorityIn(composition.volumeFolder('certificates')), 'utf8')).toBe(authority)
    await composition.replace('site')
    await waitUntil(async () => (await request('/')).status === 200, 'site in the new container')
    await shows(request)
    expect(await stored()).toBe(21)
    expect(
      readdirSync(join(composition.volumeFolder('data'), 'backups')).filter((name) => name.endsWith('.tar.age')),
    ).toHaveLength(1)
  })

  test('for three copies starts them on one PostgreSQL and one bucket, and no request fails while each in turn is replaced', async () => {
    const mailbox = await aMailbox()
    const composition = await composeUp('deploy/compose.copies.yaml', copiesEnv(mailbox.url), image)
    const { containers, volumeFolder } = composition
    const names = ['site-1', 'site-2', 'site-3']
    const copyOf = (name = '') => containers.get(name) as Container
    const { request, from, shows, stored, bente } = await aUsedSite(composition, copyOf(names[0]))
    await mailbox.received(42)
    expect(readdirSync(join(volumeFolder('storage'), 'uploads')).length).toBeGreaterThan(0)
    for (const name of names) {
      const { address, exec } = copyOf(name)
      await shows((path, init = {}) => fetch(`http://${address}${path}`, init))
      expect((await exec(['node', '-p', 'process.env.BACKUP_KEY'])).out.trim()).toBe(copiesEnv('').BACKUP_KEY)
    }
    const sheet = await copyOf(names[0]).exec(['node', 'dist/server/cli.js', 'recovery-sheet'])
    expect(sheet.out.replaceAll(/\s/g, '')).toContain(copiesEnv('').BACKUP_KEY)

    for (let count = 0; count < 2 * names.length; count++) await request('/login')
    for (const name of names) {
      const answered = () => copyOf(name).lines.some(({ path }) => path === '/login')
      await waitUntil(answered, `request that ${name} answered`)
    }
    const balancers = [
      from('127.0.0.3'),
      aBrowser(await anHaproxy(composition), { authority: certificate, name: 'site.example' }, '127.0.0.4'),
    ]
    for (const name of names) {
      const loads = balancers.map(({ request }) => aLoad(request, bente.cookie))
      for (const load of loads) await load.answersMore()
      await composition.replace(name)
      const { address } = copyOf(name)
      await waitUntil(async () => (await tryFetch(`http://${address}/readyz`))?.status === 200, 'new copy')
      for (const load of loads) await load.answersMore()
      for (const load of loads) expect(await load.stop()).toEqual([])
      await shows((path, init = {}) => fetch(`http://${address}${path}`, init))
    }
    expect(await stored()).toBe(21 + 2 * names.length)
  })
})

const tryFetch = (url: string) => fetch(url, { redirect: 'manual' }).catch(() => undefined)

/** The variables of compose.copies.yaml. */
const copiesEnv = (SMTP_URL: string) => ({
  ...{ SITE_HOST: host, SMTP_URL, SECRET: 'a-secret-of-forty-letters-and-some-more-', DATABASE_PASSWORD: 'Geheim1' },
  ...{
    STORAGE_SECRET: 'Geheim2',
    BACKUP_KEY: 'AGE-SECRET-KEY-1M3Y5FM8Z9GTHYZ44HF2SWUKW6QS4TJ28XXF66W2PHMZUE3LPJNTQ9YN6X8',
  },
})

/** Visits a page from the cache and others, and sends one message, until it is stopped. */
function aLoad(request: Visit['request'], cookie: string) {
  const failed: string[] = []
  let answered = 0
  let isOver = false
  const visit = async (path: string, init?: RequestInit) => {
    const status = await request(path, init).then((answer) => answer.status, String)
    if (status === 200) answered++
    else failed.push(`${path}: ${status}`)
  }
  const again = async (path: string, init?: RequestInit) => {
    while (!isOver) {
      await visit(path, init)
      await pause(250)
    }
  }
  const visitors = [again('/werkplaats'), again('/login'), again('/api/me', { headers: { cookie } })]
  const sent = sendMessage({ request }, 'sanne')
  return {
    /** Resolves when so many requests more were answered, or one failed. */
    async answersMore(count = 12) {
      const enough = answered + count
      await waitUntil(() => answered >= enough || failed.length > 0, `${count} answers more`)
    },
    /** @returns the requests that failed */
    async stop(): Promise<string[]> {
      await sent
      isOver = true
      await Promise.all(visitors)
      return failed
    },
  }
}

/** HAProxy as docs/operate/scale.md shows it, before the same copies. @returns its port for https */
async function anHaproxy({ containers }: Composition): Promise<number> {
  const folder = aRootFolder()
  const [http, https] = [await freePort(), await freePort()]
  const pem = join(folder, 'site.pem')
  writeFileSync(pem, `${certificate}\n${certificateKey}\n`)
  const [, example = ''] = /^HAProxy:\n\n```\n(.*?)```/ms.exec(readFileSync('docs/operate/scale.md', 'utf8')) ?? []
  const settings = example
    // A copy that is down refuses a check at once; a busy machine only takes long.
    .replace('timeout connect 5s', 'timeout connect 5s\n  timeout check 30s')
    .replace('bind :80\n', `bind 127.0.0.1:${http}\n`)
    .replace('bind :443 ssl crt /etc/haproxy/www.example.nl.pem', `bind 127.0.0.1:${https} ssl crt ${pem}`)
    .replaceAll(/10\.0\.0\.(\d):3000/g, (_, copy) => containers.get(`site-${copy}`)?.address ?? '')
  expect(settings).toContain('timeout check 30s')
  const path = join(folder, 'haproxy.cfg')
  writeFileSync(path, settings)
  const child = spawn(String(findProgram('haproxy')), ['-f', path, '-db'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = once(child, 'exit')
  closeAfterTest(async () => {
    child.kill('SIGKILL')
    await gone
  })
  const errors = text(child.stderr)
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${await errors}`)
    return (await tryFetch(`http://127.0.0.1:${http}/`)) !== undefined
  }, 'HAProxy')
  return https
}
