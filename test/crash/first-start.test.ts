import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
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

test.for(['before', 'after'] as const)(
  'a program that is killed right %s it names its secret leaves no copy of it for long',
  async (moment) => {
    const settings = await emptyDataSettings('sqlite')
    const folder = settings.DATA_DIR
    const copies = () => readdirSync(folder).filter((name) => /^secret\.[0-9a-f-]{36}$/.test(name))
    const killed = spawnProgram({ ...settings, PORT: '0', NODE_OPTIONS: killedAtLink(moment) })
    expect((await once(killed, 'close'))[1]).toBe('SIGKILL')
    const [copy = ''] = copies()
    expect(statSync(join(folder, copy)).mode & 0o777).toBe(0o600)

    const program = await aProgram(settings)
    const secret = readFileSync(join(folder, 'secret'), 'utf8')
    expect(copies(), 'another process that starts now may be about to name it').toEqual([copy])
    await program.stop()
    const hourAgo = Date.now() / 1000 - 3600
    utimesSync(join(folder, copy), hourAgo, hourAgo)
    await program.start()
    expect(copies()).toEqual([])
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(secret)
  },
)
