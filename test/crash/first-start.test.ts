import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aProgram, emptyDataSettings } from '../support/program.ts'
import { spawnProgram } from '../support/spawn-program.ts'

/** Loaded before the program: kills it right before or after the secret gets its name. */
const killedAtLink = (moment: 'before' | 'after') =>
  `--import "data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const { linkSync } = fs
    fs.linkSync = (...paths) => {
      if ('${moment}' === 'after') linkSync(...paths)
      process.kill(process.pid, 'SIGKILL')
    }
    syncBuiltinESMExports()`)}"`

test('a program that is killed right before or after it puts its secret in place leaves no other copy of it for long', async () => {
  const settings = await emptyDataSettings('sqlite')
  const folder = settings.DATA_DIR
  const copies = () => readdirSync(folder).filter((name) => /^secret\.[0-9a-f-]{36}$/.test(name))
  for (const [times, moment] of (['before', 'after'] as const).entries()) {
    const killed = spawnProgram({ ...settings, PORT: '0', NODE_OPTIONS: killedAtLink(moment) })
    expect([moment, (await once(killed, 'close'))[1]]).toEqual([moment, 'SIGKILL'])
    expect([moment, existsSync(join(folder, 'secret'))]).toEqual([moment, moment === 'after'])
    expect([moment, copies().length]).toEqual([moment, times + 1])
  }
  const left = copies()
  for (const name of left) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)

  const secret = readFileSync(join(folder, 'secret'), 'utf8')
  const program = await aProgram(settings)
  expect(copies(), 'another process that starts now may be about to name it').toEqual(left)
  await program.stop()
  const hourAgo = Date.now() / 1000 - 3600
  for (const name of left) utimesSync(join(folder, name), hourAgo, hourAgo)
  await program.start()
  expect(copies()).toEqual([])
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(secret)
})
