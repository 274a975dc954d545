import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder, databases } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { prioritiesOf } from '../support/priorities.ts'
import { aProgramWithBackups, backupProcessOf, isBackupProcess } from '../support/program-with-backups.ts'
import { slowMs, waitUntil } from '../support/wait-until.ts'

describe.runIf(process.platform === 'linux').each(databases)('on %s', (database) => {
  test('a backup and a proof each run in a process of low priority, and end when it or the program is killed, without a process or a copy left', async () => {
    const { program, ask, ended, writingBackup, provingBackup, copies } = await aProgramWithBackups(database)
    const reason = 'het proces ervan is beëindigd door SIGKILL'
    const killAndRestart = async (own: number) => {
      process.kill(Number(program.process.pid), 'SIGKILL')
      await waitUntil(() => !isBackupProcess(own), 'end of the process')
      await program.kill()
      await program.start()
    }
    const withoutCopies = () => waitUntil(() => copies().length === 0, 'removal of the copy, which is not encrypted')

    const cutOff = await ask('backups')
    await killAndRestart(await writingBackup())
    expect(await ended('runs', cutOff)).toMatchObject({ state: 'failed', error: 'interrupted' })
    const killed = await ask('backups')
    const writing = await writingBackup()
    expect(new Set(prioritiesOf(writing))).toEqual(new Set([10]))
    process.kill(writing, 'SIGKILL')
    expect(await ended('runs', killed)).toMatchObject({ state: 'failed', error: reason })
    expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'done', error: '' })

    const killedProof = await ask('backups/proofs')
    const proving = await provingBackup()
    expect(proving).not.toBe(writing)
    process.kill(proving, 'SIGKILL')
    expect(await ended('proofs', killedProof)).toMatchObject({ state: 'unknown', reason })
    await withoutCopies()
    expect(await ended('proofs', await ask('backups/proofs'))).toMatchObject({ state: 'proved', reason: '' })
    await withoutCopies()
    const cutOffProof = await ask('backups/proofs')
    await killAndRestart(await provingBackup())
    expect(await ended('proofs', cutOffProof)).toMatchObject({ state: 'unknown', reason: 'interrupted' })
    await withoutCopies()
  })
})

test.runIf(process.platform === 'linux')(
  'a proof whose process gets no processor time for longer than a statement may take is completed',
  async () => {
    const { ask, ended, provingBackup } = await aProgramWithBackups('postgres', { DATABASE_TIMEOUT_SECONDS: '8' })
    expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'done', error: '' })
    const proof = await ask('backups/proofs')
    const proving = await provingBackup()
    let isEnded = false
    const proved = ended('proofs', proof).finally(() => {
      isEnded = true
    })
    for (let round = 0; round < 2 && !isEnded; round++) {
      process.kill(proving, 'SIGSTOP')
      await pause(10_000)
      process.kill(proving, 'SIGCONT')
      await pause(200)
    }
    expect(await proved).toMatchObject({ state: 'proved', reason: '' })
  },
)

test.runIf(process.platform === 'linux')(
  'a scheduled backup is followed by a proof, which is repeated when its process is killed; then a log that is not read still blocks nothing',
  async () => {
    const { program, shown, provingBackup } = await aProgramWithBackups('sqlite', {}, { isDue: true })
    process.kill(await provingBackup(), 'SIGKILL')
    const isProved = async () => (await shown()).proofs.some(({ state }) => state === 'proved')
    await waitUntil(isProved, 'proof that is repeated', slowMs)
    const { runs, proofs } = await shown()
    expect(runs).toMatchObject([{ madeBy: 'clock', state: 'done' }])
    expect(proofs).toMatchObject([
      { madeBy: 'clock', state: 'proved' },
      { madeBy: 'clock', state: 'unknown', reason: 'het proces ervan is beëindigd door SIGKILL' },
    ])
    // Nobody signed in at the site.
    expect(program.lines.filter(({ path }) => path === '/api/login')).toEqual([])

    await waitUntil(() => backupProcessOf(program.process.pid) === undefined, 'end of the process', slowMs)
    const log = program.process.stdout
    log?.pause()
    closeAfterTest(() => void log?.resume())
    // Long, so that few requests fill the pipe of the log.
    const longPath = `/api/${'nergens'.repeat(270)}`
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, () => fetch(program.url + longPath)))
    }
    expect((await fetch(program.url)).status).toBe(200)
    log?.resume()
    expect(await program.stop()).toBe(0)
  },
)

describe.runIf(process.platform === 'linux')('a program whose files change while it runs', () => {
  test('backs up and proves the site that it serves, whatever the configuration file says meanwhile', async () => {
    const file = join(aTempFolder(), 'site.config.json')
    const text = readFileSync('site.config.json', 'utf8')
    writeFileSync(file, text)
    const { program, ask, ended } = await aProgramWithBackups('sqlite', { SITE_CONFIG: file }, { hasLargeFile: false })
    const backUpAndProve = async () => {
      expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'done', error: '' })
      expect(await ended('proofs', await ask('backups/proofs'))).toMatchObject({ state: 'proved', reason: '' })
    }

    const { pages, ...site } = JSON.parse(text)
    const added = { ...pages[0], slug: 'bijgeschreven' }
    writeFileSync(file, JSON.stringify({ ...site, brand: 'Andere Naam', pages: [...pages, added] }))
    await backUpAndProve()
    expect((await fetch(`${program.url}/bijgeschreven`)).status).toBe(404)
    expect(await (await fetch(program.url)).text()).not.toContain('Andere Naam')

    writeFileSync(file, text.slice(0, 1_000))
    await backUpAndProve()
  })

  test('leaves its database alone when another build was put in its place, and says so', async () => {
    // Packages are found from there.
    const build = mkdtempSync(resolve('node_modules', '.another-build-'))
    closeAfterTest(() => rmSync(build, { recursive: true }))
    cpSync('dist/server', build, { recursive: true, filter: (path) => !path.endsWith('.map') })
    const asBuilt = { entry: join(build, 'main.js'), hasLargeFile: false }
    const { ask, ended } = await aProgramWithBackups('sqlite', {}, asBuilt)
    expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'done' })

    const entry = join(build, 'backup-process.js')
    const code = readFileSync(entry, 'utf8')
    const replaced = code.replace(/`[0-9a-f]{64}`/, `'${'0'.repeat(64)}'`)
    expect(replaced).not.toBe(code)
    writeFileSync(entry, replaced)
    const error = 'de bestanden van het programma zijn niet meer die waarmee het is gestart: start het opnieuw'
    expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'failed', error })
    const proof = await ask('backups/proofs')
    expect(await ended('proofs', proof)).toMatchObject({ state: 'unknown', reason: error })
  })
})

describe.runIf(process.platform === 'linux')('a program that is stopped', () => {
  test.each(['1', '2'])(
    'with WORKERS=%s during a backup ends its process first, also one that does not answer',
    async (WORKERS) => {
      const port = String(await freePort())
      const { program, ask, ended, writingBackup } = await aProgramWithBackups('sqlite', { WORKERS, PORT: port })
      for (const isStuck of [false, true]) {
        const stopped = await ask('backups')
        const writing = await writingBackup()
        if (isStuck) process.kill(writing, 'SIGSTOP')
        expect(await program.stop()).toBe(0)
        expect(isBackupProcess(writing)).toBe(false)
        await program.start()
        expect(await ended('runs', stopped)).toMatchObject({ state: 'failed', error: 'interrupted' })
      }
    },
  )
})
