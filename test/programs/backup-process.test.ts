import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder, databases } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { aProgramWithBackups, findBackupProcess, isBackupProcess } from '../support/program-with-backups.ts'
import { threadPrioritiesOf } from '../support/thread-priorities.ts'
import { slowMs, waitUntil } from '../support/wait-until.ts'

describe.runIf(process.platform === 'linux').each(databases)('on %s', (database) => {
  test('a backup and a proof each run in a process of low priority, and end when it or the program is killed, without a process or a copy left', async () => {
    const { program, startTask, waitUntilEnded, waitForBackupProcess, waitForProofProcess, listRestoreFolders } =
      await aProgramWithBackups(database)
    const reason = 'het proces ervan is beëindigd door SIGKILL'
    const killAndRestart = async (own: number) => {
      process.kill(Number(program.process.pid), 'SIGKILL')
      await waitUntil(() => !isBackupProcess(own), 'end of the process')
      await program.kill()
      await program.start()
    }
    const withoutCopies = () =>
      waitUntil(() => listRestoreFolders().length === 0, 'removal of the copy, which is not encrypted')

    const cutOff = await startTask('backups')
    await killAndRestart(await waitForBackupProcess())
    expect(await waitUntilEnded('runs', cutOff)).toMatchObject({ state: 'failed', error: 'interrupted' })
    const killed = await startTask('backups')
    const writing = await waitForBackupProcess()
    expect(new Set(threadPrioritiesOf(writing))).toEqual(new Set([10]))
    process.kill(writing, 'SIGKILL')
    expect(await waitUntilEnded('runs', killed)).toMatchObject({ state: 'failed', error: reason })
    expect(await waitUntilEnded('runs', await startTask('backups'))).toMatchObject({ state: 'done', error: '' })

    const killedProof = await startTask('backups/proofs')
    const proving = await waitForProofProcess()
    expect(proving).not.toBe(writing)
    process.kill(proving, 'SIGKILL')
    expect(await waitUntilEnded('proofs', killedProof)).toMatchObject({ state: 'unknown', reason })
    await withoutCopies()
    expect(await waitUntilEnded('proofs', await startTask('backups/proofs'))).toMatchObject({
      state: 'proved',
      reason: '',
    })
    await withoutCopies()
    const cutOffProof = await startTask('backups/proofs')
    await killAndRestart(await waitForProofProcess())
    expect(await waitUntilEnded('proofs', cutOffProof)).toMatchObject({ state: 'unknown', reason: 'interrupted' })
    await withoutCopies()
  })
})

test.runIf(process.platform === 'linux')(
  'a proof whose process gets no processor time for longer than a statement may take is completed',
  async () => {
    const { startTask, waitUntilEnded, waitForProofProcess } = await aProgramWithBackups('postgres', {
      DATABASE_TIMEOUT_SECONDS: '8',
    })
    expect(await waitUntilEnded('runs', await startTask('backups'))).toMatchObject({ state: 'done', error: '' })
    const proof = await startTask('backups/proofs')
    const proving = await waitForProofProcess()
    let isEnded = false
    const proved = waitUntilEnded('proofs', proof).finally(() => {
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
  'a scheduled backup is followed by a proof, which is repeated when its process is killed; a log that nobody reads blocks nothing',
  async () => {
    const { program, getBackups, waitForProofProcess } = await aProgramWithBackups('sqlite', {}, { isDue: true })
    process.kill(await waitForProofProcess(), 'SIGKILL')
    const isProved = async () => (await getBackups()).proofs.some(({ state }) => state === 'proved')
    await waitUntil(isProved, 'proof that is repeated', slowMs)
    const { runs, proofs } = await getBackups()
    expect(runs).toMatchObject([{ madeBy: 'clock', state: 'done' }])
    expect(proofs).toMatchObject([
      { madeBy: 'clock', state: 'proved' },
      { madeBy: 'clock', state: 'unknown', reason: 'het proces ervan is beëindigd door SIGKILL' },
    ])
    // Nobody signed in at the site.
    expect(program.lines.filter(({ path }) => path === '/api/login')).toEqual([])

    await waitUntil(() => findBackupProcess(program.process.pid) === undefined, 'end of the process', slowMs)
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
    const { program, startTask, waitUntilEnded } = await aProgramWithBackups(
      'sqlite',
      { SITE_CONFIG: file },
      { hasLargeFile: false },
    )
    const backUpAndProve = async () => {
      expect(await waitUntilEnded('runs', await startTask('backups'))).toMatchObject({ state: 'done', error: '' })
      expect(await waitUntilEnded('proofs', await startTask('backups/proofs'))).toMatchObject({
        state: 'proved',
        reason: '',
      })
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

  test('makes no backup or proof when another build was put in its place, and says so', async () => {
    // Packages are found from there.
    const build = mkdtempSync(resolve('node_modules', '.another-build-'))
    closeAfterTest(() => rmSync(build, { recursive: true }))
    cpSync('dist/server', build, { recursive: true, filter: (path) => !path.endsWith('.map') })
    const asBuilt = { entry: join(build, 'main.js'), hasLargeFile: false }
    const { startTask, waitUntilEnded } = await aProgramWithBackups('sqlite', {}, asBuilt)
    expect(await waitUntilEnded('runs', await startTask('backups'))).toMatchObject({ state: 'done' })

    const entry = join(build, 'backup-process.js')
    const code = readFileSync(entry, 'utf8')
    const replaced = code.replace(/`[0-9a-f]{64}`/, `'${'0'.repeat(64)}'`)
    expect(replaced).not.toBe(code)
    writeFileSync(entry, replaced)
    const error = 'de bestanden van het programma zijn niet meer die waarmee het is gestart: start het opnieuw'
    expect(await waitUntilEnded('runs', await startTask('backups'))).toMatchObject({ state: 'failed', error })
    const proof = await startTask('backups/proofs')
    expect(await waitUntilEnded('proofs', proof)).toMatchObject({ state: 'unknown', reason: error })
  })
})

describe.runIf(process.platform === 'linux')('a program that is stopped', () => {
  test.each(['1', '2'])(
    'with WORKERS=%s during a backup ends the backup process first, also one that hangs',
    async (WORKERS) => {
      const port = String(await freePort())
      const { program, startTask, waitUntilEnded, waitForBackupProcess } = await aProgramWithBackups('sqlite', {
        WORKERS,
        PORT: port,
      })
      for (const isStuck of [false, true]) {
        const stopped = await startTask('backups')
        const writing = await waitForBackupProcess()
        if (isStuck) process.kill(writing, 'SIGSTOP')
        expect(await program.stop()).toBe(0)
        expect(isBackupProcess(writing)).toBe(false)
        await program.start()
        expect(await waitUntilEnded('runs', stopped)).toMatchObject({ state: 'failed', error: 'interrupted' })
      }
    },
  )
})
