import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../scripts/setup/debian-programs.mjs'
import { closeAfterTest } from './close-after-test.ts'
import { aTempFolder } from './databases.ts'
import { freePort } from './free-port.ts'

/**
 * Starts PgBouncer in transaction mode, in which each transaction may get another connection of the server, until the test ends.
 * @returns the URL of the same database through PgBouncer
 */
export async function aPgbouncer(databaseUrl: string): Promise<string> {
  const binary = findProgram('pgbouncer')
  if (!binary) throw new Error('PgBouncer is not installed')
  const folder = aTempFolder()
  const serverUrl = new URL(databaseUrl)
  const database = serverUrl.pathname.slice(1)
  const host = serverUrl.searchParams.get('host') ?? serverUrl.hostname
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${serverUrl.username}" "${serverUrl.password}"\n`)
  writeFileSync(
    settings,
    `[databases]
${database} = host=${host} port=${serverUrl.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 3
`,
  )
  // Like PostgreSQL it refuses to run as root; 65534 is the user nobody.
  const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  if (identity) for (const path of [folder, settings, users]) chownSync(path, identity.uid, identity.gid)
  chmodSync(folder, 0o700)
  const child = spawn(binary, [settings], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
  closeAfterTest(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${output}`)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-10_000)
      if (output.includes('process up')) resolve()
    })
  })
  const pooledUrl = new URL(databaseUrl)
  pooledUrl.searchParams.delete('host')
  pooledUrl.port = String(port)
  return pooledUrl.href
}
