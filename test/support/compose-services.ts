import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import S3rver from 's3rver'
import { DUMMY_ACCOUNT } from 's3rver/lib/models/account.js'
import { findProgram } from '../../scripts/setup/debian-programs.mjs'
import { closeAfterTest } from './close-after-test.ts'
import { aRootFolder, type Image, pathsBelow } from './dockerfile.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'
import { type LoggedLine, noteError } from './test-log.ts'
import { waitUntil } from './wait-until.ts'

export type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully'

export interface Service {
  image?: string
  build?: string
  command?: string[]
  environment?: Record<string, string | number>
  volumes?: string[]
  ports?: string[]
  depends_on?: string[] | Record<string, { condition: Condition }>
  healthcheck?: { test: string[]; interval: string; retries: number }
  stop_grace_period?: string
  restart?: string
}

/** A service that runs. */
export interface Container {
  /** Where it is reached on this machine, without the balancer: `127.0.0.1:41234`. */
  address: string
  /** Its log. */
  lines: LoggedLine[]
  /** As `docker compose exec`. */
  exec(command: readonly string[]): Promise<{ code: number | null; out: string; err: string }>
  /** As `docker compose stop`: kills it after `stop_grace_period`. @returns its exit code; null when it was killed */
  stop(): Promise<number | null>
}

export interface Started {
  container: Container
  reached(condition: Condition): Promise<void>
}

export interface Mount {
  /** On this machine. */
  from: string
  /** In the container. */
  to: string
  isVolume: boolean
}

export interface StartOf {
  name: string
  file: string
  service: Service
  mounts: readonly Mount[]
  program: Image
  composition: { published: Map<number, number>; translated(text: string): string }
  addresses: Map<string, string>
}

/** Of the S3 servers that were started, by address. */
const keys = new Map<string, string>()

/** How each image runs on this machine. */
export const kinds: Record<string, (of: StartOf) => Promise<Started>> = {
  program: startProgram,
  postgres: startDatabase,
  debian: async ({ service, mounts }) => {
    const [command = '', ...args] = service.command ?? []
    const root = aContainerFolder(mounts)
    execFileSync(
      command,
      args.map((arg) => pathsBelow(root, arg)),
    )
    return {
      container: without('command'),
      reached: async (condition) => expectOnly(condition, 'service_completed_successfully'),
    }
  },
  'versity/versitygw': async ({ name, service, mounts, addresses }) => {
    const [backend, folder = ''] = service.command ?? []
    if (backend !== 'posix') throw new Error(`${name} stores its buckets as ${backend}`)
    const { ROOT_ACCESS_KEY, ROOT_SECRET_KEY } = service.environment ?? {}
    DUMMY_ACCOUNT.createKeyPair(String(ROOT_ACCESS_KEY), String(ROOT_SECRET_KEY))
    const directory = pathsBelow(aContainerFolder(mounts), folder)
    const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory })
    const { port } = await server.run()
    closeAfterTest(() => server.close())
    addresses.set(`${name}:7070`, `127.0.0.1:${port}`)
    keys.set(`127.0.0.1:${port}`, `${ROOT_ACCESS_KEY}:${ROOT_SECRET_KEY}`)
    return { container: without('S3 server'), reached: async (condition) => expectOnly(condition, 'service_started') }
  },
  caddy: startCaddy,
}

async function startProgram({
  name,
  file,
  service,
  mounts,
  program,
  composition,
  addresses,
}: StartOf): Promise<Started> {
  if (resolve(dirname(file), service.build ?? '') !== process.cwd()) throw new Error(`${file} builds ${service.build}`)
  const root = aContainerFolder(mounts, program)
  const set = Object.entries({ ...program.env, ...service.environment }).map(
    ([key, value]) => [key, composition.translated(pathsBelow(root, String(value).replace(':$PATH', '')))] as const,
  )
  const env: Record<string, string> = Object.fromEntries(set)
  const inside = `${name}:${env.PORT}`
  // The same port when it is started anew.
  const address = addresses.get(inside) ?? `127.0.0.1:${await freePort()}`
  addresses.set(inside, address)
  Object.assign(env, { HOST: '127.0.0.1', PORT: address.split(':')[1] })

  if (env.STORAGE_URL) {
    const storage = new URL(env.STORAGE_URL)
    const key = `${storage.username}:${storage.password}`
    if (keys.get(storage.host) !== key) throw new Error(`${name} has another key of the storage`)
  }

  const lines: LoggedLine[] = []
  const identity = program.uid === undefined ? {} : { uid: program.uid, gid: program.uid }
  const run = ([command = '', ...args]: readonly string[]) =>
    spawn(command, args, { ...identity, env, cwd: pathsBelow(root, program.workdir) })
  const exec: Container['exec'] = async (command) => {
    const child = run(command)
    child.stdin.end()
    const [out, err, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')])
    return { code, out, err }
  }
  const child = run(program.command)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  readLog(child, lines)
  const stop = stopOf(child, program.stopSignal, service.stop_grace_period)
  return {
    container: { address, lines, exec, stop },
    reached: (condition) =>
      reach(
        condition,
        child,
        async () => (await exec(program.healthcheck)).code === 0,
        () => `${name} ended: ${errors}`,
      ),
  }
}

/** Errors in a log of JSON fail the test. */
function readLog(child: ChildProcess, lines: LoggedLine[]): void {
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts.filter((one) => one.startsWith('{'))) {
      const line: LoggedLine = JSON.parse(part)
      lines.push(line)
      if (line.level === 'error' || line.level === 'fatal') noteError(part)
    }
  })
}

async function startDatabase({ name, service, mounts, addresses }: StartOf): Promise<Started> {
  // Where the image stores its data: outside a volume they would be gone with the container.
  if (!mounts.some(({ to, isVolume }) => isVolume && to === '/var/lib/postgresql/data'))
    throw new Error(`${name} stores nothing`)
  const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: database } = service.environment ?? {}
  const server = await startPostgres({ user: String(user), password: String(password) })
  closeAfterTest(() => server.stop())
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create database ${client.escapeIdentifier(String(database))}`)
  await client.end()
  const { port } = new URL(server.url)
  addresses.set(`${name}:5432`, `127.0.0.1:${port}`)
  const { test: [kind, command = '', ...args] = [] } = service.healthcheck ?? {}
  return {
    container: without('database'),
    async reached(condition) {
      expectOnly(condition, 'service_healthy')
      if (kind !== 'CMD' || command !== 'pg_isready') throw new Error(`${name} is checked by ${kind} ${command}`)
      const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: port }
      execFileSync(String(findProgram('pg_isready')), args, { env })
    },
  }
}

async function startCaddy({ name, service, mounts, composition }: StartOf): Promise<Started> {
  const root = aContainerFolder(mounts)
  const { published, translated } = composition
  // A copy that is down refuses a check at once; a busy machine only takes long.
  const patient = (settings: string) => settings.replace('health_interval 1s', '$&\n\t\thealth_timeout 30s')
  for (const one of service.ports ?? []) {
    const [, outside, inside, protocol] = /^(\d+):(\d+)(\/udp)?$/.exec(one) ?? []
    if (outside !== inside) throw new Error(`${name} listens on ${outside} and not on ${inside}`)
    if (!protocol && !published.has(Number(outside))) published.set(Number(outside), await freePort())
  }
  // Where the image looks for it.
  const path = join(root, '/etc/caddy/Caddyfile')
  const options = [
    ...[`http_port ${published.get(80)}`, `https_port ${published.get(443)}`],
    ...['default_bind 127.0.0.1', 'skip_install_trust', 'admin off'],
  ]
  writeFileSync(path, `{\n${options.join('\n')}\n}\n${translated(patient(readFileSync(path, 'utf8')))}`)
  const child = spawn(String(findProgram('caddy')), ['run', '--config', path, '--adapter', 'caddyfile'], {
    cwd: root,
    env: {
      HOME: root,
      XDG_DATA_HOME: join(root, 'data'),
      XDG_CONFIG_HOME: join(root, 'config'),
      ...asText(service.environment),
    },
  })
  let output = ''
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-20_000)
  })
  await reach(
    'service_healthy',
    child,
    () => output.includes('serving initial configuration'),
    () => `Caddy ended: ${output}`,
  )
  return {
    container: { ...without('Caddy'), stop: stopOf(child, 'SIGTERM', service.stop_grace_period) },
    reached: async (condition) => expectOnly(condition, 'service_started'),
  }
}

const asText = (environment: Service['environment'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)]))

/** The root folder of a container: the files of its image, and what is mounted. */
function aContainerFolder(mounts: readonly Mount[], image?: Image): string {
  const root = aRootFolder()
  for (const { from, to, isVolume } of mounts) {
    const at = join(root, to)
    mkdirSync(dirname(at), { recursive: true })
    if (isVolume) {
      // A new volume gets the owner of the folder in the image.
      if (!readdirSync(dirname(from)).length) makeAs(from, image && join(image.root, to))
      symlinkSync(from, at)
    } else writeFileSync(at, readFileSync(from))
  }
  if (!image) return root
  for (const name of readdirSync(image.root)) {
    if (mounts.some(({ to }) => to === `/${name}`)) continue
    if (image.volumes.includes(`/${name}`)) makeAs(join(root, name), join(image.root, name))
    else symlinkSync(join(image.root, name), join(root, name))
  }
  return root
}

/** Makes a folder, with the owner and the rights of another one. */
function makeAs(folder: string, like: string | undefined): void {
  mkdirSync(folder)
  if (!like) return
  const { uid, gid, mode } = statSync(like)
  chownSync(folder, uid, gid)
  chmodSync(folder, mode)
}

function stopOf(child: ChildProcess, signal: NodeJS.Signals, grace = '10s'): Container['stop'] {
  const end = async (how: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const gone = once(child, 'exit')
    child.kill(how)
    const killing = setTimeout(() => child.kill('SIGKILL'), Number.parseInt(grace, 10) * 1_000)
    await gone
    clearTimeout(killing)
    return child.exitCode
  }
  closeAfterTest(async () => void (await end('SIGKILL')))
  return () => end(signal)
}

async function reach(
  condition: Condition,
  child: ChildProcess,
  isHealthy: () => Promise<boolean> | boolean,
  describe: () => string,
): Promise<void> {
  if (condition === 'service_started') return
  expectOnly(condition, 'service_healthy')
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(describe())
    if (await isHealthy()) return true
    await pause(200)
    return false
  }, 'healthy service')
}

function expectOnly(condition: Condition, known: Condition): void {
  if (condition !== known) throw new Error(`${condition} is not ${known}`)
}

/** Nothing is run in it, and it ends with the test. */
const without = (what: string): Container => ({
  address: '',
  lines: [],
  exec: () => Promise.reject(new Error(`nothing runs in the ${what}`)),
  stop: () => Promise.reject(new Error(`the ${what} is not stopped`)),
})
