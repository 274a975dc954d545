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
import { type LoggedLine, recordError } from './test-log.ts'
import { waitUntil } from './wait-until.ts'

type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully'

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

/** A running service. */
export interface Container {
  /** Its host and port on this machine, without the load balancer: `127.0.0.1:41234`. */
  address: string
  /** The lines of its log. */
  lines: LoggedLine[]
  /** Runs a command in it, as `docker compose exec` does, until it exits. */
  exec(command: readonly string[]): Promise<{ code: number | null; out: string; err: string }>
  /**
   * Stops it, as `docker compose stop` does: kills it after `stop_grace_period`.
   * @returns its exit code; null when it was killed
   */
  stop(): Promise<number | null>
}

export interface StartedService {
  container: Container
  /** @throws when it ends before that, or cannot meet this condition */
  waitFor(condition: Condition): Promise<void>
}

export interface Mount {
  /** The path on this machine. */
  from: string
  /** The path in the container. */
  to: string
  isVolume: boolean
}

interface StartOptions {
  /** The name of the service. */
  name: string
  /** The path of the compose file. */
  file: string
  service: Service
  mounts: readonly Mount[]
  /** The image of the program, which the services with `build` run. */
  program: Image
  composition: { publishedPorts: Map<number, number>; translate(text: string): string }
  /** By the address in the compose network, `database:5432`: that on this machine, which starting a service adds. */
  addresses: Map<string, string>
}

/** The key and the secret of each S3 server, `key:secret`, by its address. */
const s3Keys = new Map<string, string>()

/** Starts a service on this machine; by the name of its image, or `program` for a service that is built. */
export const startByImage: Record<string, (options: StartOptions) => Promise<StartedService>> = {
  program: startProgram,
  postgres: startDatabase,
  // Runs one command until it exits.
  debian: async ({ service, mounts }) => {
    const [command = '', ...args] = service.command ?? []
    const root = aContainerFolder(mounts)
    execFileSync(
      command,
      args.map((arg) => pathsBelow(root, arg)),
    )
    return {
      container: aStandInContainer('command'),
      waitFor: async (condition) => assertCondition(condition, 'service_completed_successfully'),
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
    s3Keys.set(`127.0.0.1:${port}`, `${ROOT_ACCESS_KEY}:${ROOT_SECRET_KEY}`)
    return {
      container: aStandInContainer('S3 server'),
      waitFor: async (condition) => assertCondition(condition, 'service_started'),
    }
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
}: StartOptions): Promise<StartedService> {
  if (resolve(dirname(file), service.build ?? '') !== process.cwd()) throw new Error(`${file} builds ${service.build}`)
  const root = aContainerFolder(mounts, program)
  const entries = Object.entries({ ...program.env, ...service.environment }).map(
    ([key, value]) => [key, composition.translate(pathsBelow(root, String(value).replace(':$PATH', '')))] as const,
  )
  const env: Record<string, string> = Object.fromEntries(entries)
  const internalAddress = `${name}:${env.PORT}`
  // A replaced service keeps its port.
  const address = addresses.get(internalAddress) ?? `127.0.0.1:${await freePort()}`
  addresses.set(internalAddress, address)
  Object.assign(env, { HOST: '127.0.0.1', PORT: address.split(':')[1] })

  if (env.STORAGE_URL) {
    const storage = new URL(env.STORAGE_URL)
    const key = `${storage.username}:${storage.password}`
    if (s3Keys.get(storage.host) !== key) throw new Error(`${name} has another key of the storage`)
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
  const stop = createStop(child, program.stopSignal, service.stop_grace_period)
  return {
    container: { address, lines, exec, stop },
    waitFor: (condition) =>
      waitForCondition(
        condition,
        child,
        async () => (await exec(program.healthcheck)).code === 0,
        () => `${name} ended: ${errors}`,
      ),
  }
}

/** Collects the log lines, which are JSON. An error among them fails the test. */
function readLog(child: ChildProcess, lines: LoggedLine[]): void {
  let incompleteLine = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const completeLines = `${incompleteLine}${chunk}`.split('\n')
    incompleteLine = completeLines.pop() ?? ''
    for (const json of completeLines.filter((text) => text.startsWith('{'))) {
      const line: LoggedLine = JSON.parse(json)
      lines.push(line)
      if (line.level === 'error' || line.level === 'fatal') recordError(json)
    }
  })
}

async function startDatabase({ name, service, mounts, addresses }: StartOptions): Promise<StartedService> {
  // The image stores its data in this folder: unless that is a volume, they are lost with the container.
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
  const { test: [checkKind, command = '', ...args] = [] } = service.healthcheck ?? {}
  return {
    container: aStandInContainer('database'),
    async waitFor(condition) {
      assertCondition(condition, 'service_healthy')
      if (checkKind !== 'CMD' || command !== 'pg_isready')
        throw new Error(`${name} is checked by ${checkKind} ${command}`)
      const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: port }
      execFileSync(String(findProgram('pg_isready')), args, { env })
    },
  }
}

async function startCaddy({ name, service, mounts, composition }: StartOptions): Promise<StartedService> {
  const root = aContainerFolder(mounts)
  const { publishedPorts, translate } = composition
  // A busy machine may answer a check late, which must not count as down: a program that is down refuses it at once.
  const withLongHealthTimeout = (settings: string) =>
    settings.replace('health_interval 1s', '$&\n\t\thealth_timeout 30s')
  for (const mapping of service.ports ?? []) {
    const [, hostPort, containerPort, udp] = /^(\d+):(\d+)(\/udp)?$/.exec(mapping) ?? []
    if (hostPort !== containerPort) throw new Error(`${name} listens on ${hostPort} and not on ${containerPort}`)
    if (!udp && !publishedPorts.has(Number(hostPort))) publishedPorts.set(Number(hostPort), await freePort())
  }
  // Where the image of Caddy reads its configuration.
  const path = join(root, '/etc/caddy/Caddyfile')
  const options = [
    ...[`http_port ${publishedPorts.get(80)}`, `https_port ${publishedPorts.get(443)}`],
    ...['default_bind 127.0.0.1', 'skip_install_trust', 'admin off'],
  ]
  writeFileSync(path, `{\n${options.join('\n')}\n}\n${translate(withLongHealthTimeout(readFileSync(path, 'utf8')))}`)
  const child = spawn(String(findProgram('caddy')), ['run', '--config', path, '--adapter', 'caddyfile'], {
    cwd: root,
    env: {
      HOME: root,
      XDG_DATA_HOME: join(root, 'data'),
      XDG_CONFIG_HOME: join(root, 'config'),
      ...valuesAsText(service.environment),
    },
  })
  let output = ''
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-20_000)
  })
  await waitForCondition(
    'service_healthy',
    child,
    () => output.includes('serving initial configuration'),
    () => `Caddy ended: ${output}`,
  )
  return {
    container: { ...aStandInContainer('Caddy'), stop: createStop(child, 'SIGTERM', service.stop_grace_period) },
    waitFor: async (condition) => assertCondition(condition, 'service_started'),
  }
}

const valuesAsText = (environment: Service['environment'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)]))

/** Makes the root folder of a container, with the files of its image and what is mounted. @returns its path */
function aContainerFolder(mounts: readonly Mount[], image?: Image): string {
  const root = aRootFolder()
  for (const { from, to, isVolume } of mounts) {
    const target = join(root, to)
    mkdirSync(dirname(target), { recursive: true })
    if (isVolume) {
      // A new volume gets the owner of the folder in the image.
      if (!readdirSync(dirname(from)).length) makeFolderLike(from, image && join(image.root, to))
      symlinkSync(from, target)
    } else writeFileSync(target, readFileSync(from))
  }
  if (!image) return root
  for (const name of readdirSync(image.root)) {
    if (mounts.some(({ to }) => to === `/${name}`)) continue
    if (image.volumes.includes(`/${name}`)) makeFolderLike(join(root, name), join(image.root, name))
    else symlinkSync(join(image.root, name), join(root, name))
  }
  return root
}

/** Makes a folder, with the owner and the permissions of `like` if there is one. */
function makeFolderLike(folder: string, like: string | undefined): void {
  mkdirSync(folder)
  if (!like) return
  const { uid, gid, mode } = statSync(like)
  chownSync(folder, uid, gid)
  chmodSync(folder, mode)
}

/** Returns the `stop` of a container with this process, and kills the process when the test ends. */
function createStop(child: ChildProcess, signal: NodeJS.Signals, grace = '10s'): Container['stop'] {
  const end = async (endSignal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exited = once(child, 'exit')
    child.kill(endSignal)
    const killTimer = setTimeout(() => child.kill('SIGKILL'), Number.parseInt(grace, 10) * 1_000)
    await exited
    clearTimeout(killTimer)
    return child.exitCode
  }
  closeAfterTest(async () => void (await end('SIGKILL')))
  return () => end(signal)
}

/** Waits until a process has started or is healthy. @throws {Error} with `describe()` when it ends before that */
async function waitForCondition(
  condition: Condition,
  child: ChildProcess,
  isHealthy: () => Promise<boolean> | boolean,
  describe: () => string,
): Promise<void> {
  if (condition === 'service_started') return
  assertCondition(condition, 'service_healthy')
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(describe())
    if (await isHealthy()) return true
    await pause(200)
    return false
  }, 'healthy service')
}

function assertCondition(condition: Condition, expected: Condition): void {
  if (condition !== expected) throw new Error(`${condition} is not ${expected}`)
}

/** The container of a service of which nothing is used but that it runs: `exec` and `stop` reject. */
const aStandInContainer = (what: string): Container => ({
  address: '',
  lines: [],
  exec: () => Promise.reject(new Error(`nothing runs in the ${what}`)),
  stop: () => Promise.reject(new Error(`the ${what} is not stopped`)),
})
