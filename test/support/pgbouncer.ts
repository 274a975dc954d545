import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../scripts/setup/debian-programs.mjs'
import { closeAfterTest } from './close-after-test.ts'
import { aTempFolder } from './databases.ts'
import { freePort } from './free-port.ts'

/**
 * PgBouncer in transaction mode: each transaction may get another connection of the server.
 * @returns the same URL, through it
 */
export async function aPgbouncer(databaseUrl: string): Promise<string> {
  const program = findProgram('pgbouncer')
  if (!program) throw new Error('PgBouncer is not installed')
  const folder = aTempFolder()
  const to = new URL(databaseUrl)
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${to.username}" "${to.password}"\n`)
  writeFileSync(
    settings,
    `[databases]
${to.pathname.slice(1)} = host=${to.searchParams.get('host') ?? to.hostname} port=${to.port} dbname=${to.pathname.slice(1)}
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
  // It refuses to run as root, too.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  if (user) for (const path of [folder, settings, users]) chownSync(path, user.uid, user.gid)
  chmodSync(folder, 0o700)
  const child = spawn(program, [settings], { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
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
  const through = new URL(databaseUrl)
  through.searchParams.delete('host')
  through.port = String(port)
  return through.href
}
