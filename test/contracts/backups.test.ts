import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateX25519Identity } from 'age-encryption'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { printRecoverySheet, prove } from '../../src/cli/backup.ts'
import type { Backups } from '../../src/contract/backups.ts'
import { insertRun } from '../../src/domain/backup/backup-run.queries.ts'
import { findBackupStatus } from '../../src/domain/backup/backups.ts'
import { checkBackup } from '../../src/domain/backup/check-backup.ts'
import { backUpForUpdate, backUpTo, runDueBackup } from '../../src/domain/backup/run-backup.ts'
import { ProcessKilled } from '../../src/domain/backup/run-proof.ts'
import { backup as backupCheck } from '../../src/domain/health/data-checks.ts'
import { readRelease } from '../../src/platform/config/release.ts'
import { whileRestoring } from '../../src/platform/config/restoring.ts'
import { parseStorageUrl } from '../../src/platform/storage/s3.ts'
import { aRunningBackup, archivesIn, dataSettingsOf, runProof } from '../support/backups.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder, databases } from '../support/databases.ts'
import { sendMessage } from '../support/messages.ts'
import { runCommandInProcess } from '../support/run-command-in-process.ts'
import { aBucket } from '../support/s3.ts'
import { canMount } from '../support/small-disk.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { aPdf, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const plan = {
  ...{ scheduled: true, time: '03:00', daily: 7, weekly: 5, monthly: 12, kind: 'folder', folder: '' },
  ...{ endpoint: '', region: 'us-east-1', bucket: '', prefix: '', accessKeyId: '' },
}

/** The clock of a test, which begins at a fixed time of the site (an hour ahead of UTC). */
function aClock(start: string) {
  let at = new Date(start)
  return {
    now: () => at,
    set(time: string) {
      at = new Date(time)
    },
  }
}

describe.each(databases)('backups on %s', (database) => {
  test('are made on schedule by one instance, once a day, later when missed, and kept by the retention rule', async () => {
    allowErrors(/the backup failed/)
    const clock = aClock('2026-11-10T11:00:00Z')
    const site = await aTestApp({ database, now: clock.now, startJobs: false })
    const other = await aTestApp({ beside: site, now: clock.now, startJobs: false })
    const run = ({ app } = site) => runDueBackup(app.context())
    let bente = await as(site, 'beheerder')
    /** A session is renewed after an hour, by the real clock. */
    const tomorrow = async (time: string) => {
      clock.set(time)
      bente = await as(site, 'beheerder')
    }
    const shown = async (): Promise<Backups> => (await bente.get('/api/backups')).json()
    const found = () => findBackupStatus(site.app.context())
    const save = (change: object) => bente.put('/api/backups/settings', { ...plan, ...change })
    const problems = async (answer: Promise<Response>) =>
      (await (await answer).json()).errors.map(({ path }: { path: string }) => path)

    expect(await shown()).toMatchObject({
      settings: { scheduled: false, daily: 7, version: 0 },
      nextAt: null,
      runs: [],
    })
    expect(await run(), 'nobody asked for it').toBeUndefined()
    const folder = join(aTempFolder(), 'kluis')
    expect(await problems(save({ folder: 'backups' }))).toEqual(['folder'])
    expect(await problems(save({ folder: join(site.settings.dataDir, 'files', 'hier') }))).toEqual(['folder'])
    expect(await problems(save({ folder, time: '24:00', daily: 0 }))).toEqual(['time', 'daily'])
    expect(await problems(save({ kind: 's3' }))).toEqual(['endpoint', 'bucket', 'accessKeyId', 'secretAccessKey'])
    writeFileSync(folder, 'a file')
    expect(await problems(save({ folder }))).toEqual(['folder'])
    const tried = await bente.post('/api/backups/try', { ...plan, folder })
    expect(await tried.json()).toEqual({
      error: expect.stringMatching(/in .*kluis kan niet worden geschreven: EEXIST/),
    })
    rmSync(folder)
    expect((await save({ folder })).status).toBe(200)
    expect((await save({ folder, version: 0 })).status).toBe(409)
    expect(readdirSync(folder), 'the file of the test is removed').toEqual([])
    expect(await run(), 'three o’clock had passed when it was turned on').toBeUndefined()
    expect((await shown()).nextAt).toBe('2026-11-11T02:00:00.000Z')
    expect(await found()).toMatchObject({ state: 'waiting' })
    const line = await backupCheck.run({ ...site.app.context(), now: clock.now } as never)
    expect(line).toEqual({ outcome: 'unknown', text: 'backupPlanned' })

    await tomorrow('2026-11-11T02:00:30Z')
    const both = await Promise.all([run(site), run(other)])
    expect(both.filter((one) => one !== undefined)).toHaveLength(1)
    expect(await run(other)).toBeUndefined()
    expect(archivesIn(folder)).toHaveLength(1)
    const [first] = (await shown()).runs
    expect(first).toMatchObject({ madeBy: 'clock', state: 'done', target: folder, error: '', files: 0 })
    expect(first?.bytes).toBeGreaterThan(1_000)
    const key = await site.app.context().backups.key()
    const { header } = await checkBackup(join(folder, first?.name ?? ''), key.identity)
    expect(header.madeAt).toBe('2026-11-11T02:00:30.000Z')
    expect(await found()).toMatchObject({ state: 'good' })
    await expect(backUpTo(site.app.context(), join(folder, first?.name ?? ''))).rejects.toThrow(/cannot be written/)
    expect((await shown()).runs[0]).toMatchObject({ madeBy: 'command', state: 'failed' })
    expect(await found(), 'the operator saw that of the command line fail').toMatchObject({ state: 'good' })

    await tomorrow('2026-11-13T10:00:00Z')
    expect(await found()).toMatchObject({ state: 'late' })
    expect(await run()).toMatchObject({ day: '2026-11-13' })
    expect(await run()).toBeUndefined()
    expect(archivesIn(folder)).toHaveLength(2)

    // The disk is gone: reported, recorded, and tried again twice.
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, 'a file')
    await tomorrow('2026-11-14T02:00:00Z')
    for (const time of ['2026-11-14T02:01:00Z', '2026-11-14T02:31:01Z', '2026-11-14T03:01:02Z']) {
      await tomorrow(time)
      expect(await run()).toMatchObject({ day: '2026-11-14' })
      expect(await run(), 'not at once').toBeUndefined()
      expect(await found()).toMatchObject({ state: 'failed' })
    }
    await tomorrow('2026-11-14T12:00:00Z')
    expect(await run(), 'three times a day').toBeUndefined()
    const failed = (await shown()).runs[0]
    expect(failed).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('kan niet worden gelezen: ENOTDIR'),
    })
    const log = await (await bente.get('/api/audit?pageSize=100')).json()
    const entries = log.data.filter(({ action }: { action: string }) => action === 'backup.failed')
    expect(entries, 'with that of the command line').toHaveLength(4)
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
    expect(archivesIn(folder), 'nothing older was removed').toHaveLength(2)

    // By hand: once, however often it is asked for.
    const asked = await Promise.all([bente.post('/api/backups', {}), bente.post('/api/backups', {})])
    const [one, again] = await Promise.all(asked.map(async (answer) => (await answer.json()).id))
    expect([asked[0]?.status, again]).toEqual([202, one])
    expect((await shown()).runs[0]).toMatchObject({ id: one, state: 'waiting', by: { id: bente.id } })
    // A process that was killed: its lease has ended.
    const dead = { lease_until: '2020-01-01T00:00:00.000Z', state: 'running', name: 'etalage-dood' } as const
    await site.db
      .updateTable('backup_run')
      .set(dead)
      .where('id', '=', failed?.id ?? 0)
      .execute()
    expect(await run()).toMatchObject({ id: one })
    const listed = (await shown()).runs
    expect(listed.find(({ id }) => id === one)).toMatchObject({ state: 'done', madeBy: 'hand' })
    expect(listed.find(({ id }) => id === failed?.id)).toMatchObject({ state: 'failed', error: 'interrupted' })
    expect(archivesIn(folder)).toHaveLength(3)

    writeFileSync(join(folder, 'etalage-van-een-ander.tar.age'), 'kept')
    expect((await save({ folder, daily: 2, weekly: 0, monthly: 0 })).status).toBe(200)
    await tomorrow('2026-11-15T02:00:01Z')
    await run()
    expect(archivesIn(folder).toSorted()).toEqual(
      [
        ...(await shown()).runs.filter(({ state }) => state === 'done').map(({ name }) => name),
        'etalage-van-een-ander.tar.age',
      ].toSorted(),
    )
    expect(archivesIn(folder)).toHaveLength(3)

    // One that runs elsewhere is not doubled.
    const running = { lease_until: '2999-01-01T00:00:00.000Z', state: 'running' } as const
    await site.db.updateTable('backup_run').set(running).where('id', '=', one).execute()
    clock.set('2026-11-16T02:00:01Z')
    expect(await run()).toBeUndefined()
    // One that was killed while the clock was ahead does not keep others waiting until then.
    const ahead = { started_at: '2998-12-31T23:59:00.000Z', ...running }
    await site.db.updateTable('backup_run').set(ahead).where('id', '=', one).execute()
    expect(await run()).toMatchObject({ day: '2026-11-16' })
    expect((await shown()).runs.find(({ id }) => id === one)).toMatchObject({ state: 'failed', error: 'interrupted' })
  })
})

describe.each(databases)('the backup schedule on %s', (database) => {
  test('reports a failed backup until the next scheduled one succeeds, however many the command line makes meanwhile', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const started = Date.UTC(2026, 10, 10, 2)
    const rows = Array.from({ length: 21 }, (_, index) => {
      const at = new Date(started + index * 3_600_000).toISOString()
      const from =
        index === 0
          ? { made_by: 'clock' as const, state: 'failed' as const }
          : { made_by: 'command' as const, state: 'done' as const }
      return {
        ...from,
        target: '/kluis',
        name: '',
        error: index === 0 ? 'vol' : '',
        asked_at: at,
        started_at: at,
        finished_at: at,
      }
    })
    await site.app.context().transaction(async (tx) => {
      for (const row of rows) await insertRun(tx, row)
    })
    expect(await findBackupStatus(site.app.context())).toMatchObject({ state: 'failed', error: 'vol' })
  })

  test('makes no second backup after one by hand, and makes one more when its time changes', async () => {
    const clock = aClock('2026-11-10T11:00:00Z')
    const site = await aTestApp({ database, now: clock.now, startJobs: false })
    const run = () => runDueBackup(site.app.context())
    const folder = aTempFolder()
    const bente = await as(site, 'beheerder')
    expect((await bente.put('/api/backups/settings', { ...plan, folder, time: '12:30' })).status).toBe(200)
    clock.set('2026-11-10T11:30:10Z')
    expect(await run()).toMatchObject({ day: '2026-11-10', made_by: 'clock' })
    clock.set('2026-11-10T11:40:00Z')
    await bente.post('/api/backups', {})
    expect(await run()).toMatchObject({ made_by: 'hand' })
    expect(await run(), 'that of the clock is still there').toBeUndefined()
    expect(archivesIn(folder)).toHaveLength(2)

    const later = await as(site, 'beheerder')
    expect((await later.put('/api/backups/settings', { ...plan, folder, time: '13:00' })).status).toBe(200)
    clock.set('2026-11-10T12:00:10Z')
    expect(await run(), 'at its new time').toMatchObject({ day: '2026-11-10', made_by: 'clock', attempt: 2 })
    expect(await run()).toBeUndefined()
  })
})

describe.each(databases)('the retention of backups on %s', (database) => {
  test('leaves a backup that is being read, and removes it with the next one', async () => {
    const clock = aClock('2026-11-10T11:00:00Z')
    const site = await aTestApp({ database, now: clock.now, startJobs: false })
    const bente = await as(site, 'beheerder')
    const folder = aTempFolder()
    const newestOnly = { ...plan, folder, daily: 1, weekly: 0, monthly: 0 }
    expect((await bente.put('/api/backups/settings', newestOnly)).status).toBe(200)
    const leftAfter = async (day: string) => {
      clock.set(`${day}T02:00:30Z`)
      await runDueBackup(site.app.context())
      return archivesIn(folder).length
    }
    const setReading = (reading_until: string | null) =>
      site.db.updateTable('backup_run').set({ reading_until }).execute()
    expect(await leftAfter('2026-11-11')).toBe(1)
    await setReading('2999-01-01T00:00:00.000Z')
    expect(await leftAfter('2026-11-12')).toBe(2)
    // As a process leaves it that was killed.
    await setReading('2020-01-01T00:00:00.000Z')
    expect(await leftAfter('2026-11-13')).toBe(1)
  })

  test('removes backups that are older than the privacy statement says, and all but the newest of those before updates', async () => {
    const clock = aClock('2026-11-10T11:00:00Z')
    const ofUpdates = aTempFolder()
    const site = await aTestApp({ database, settings: { backupDir: ofUpdates }, now: clock.now, startJobs: false })
    const bente = await as(site, 'beheerder')
    const folder = aTempFolder()
    const { version } = await (await bente.get('/api/config')).json()
    const retention = { auditDays: 3_650, statisticsDays: 730, emailDays: 30, signInDays: 180, backupDays: 40 }
    expect((await bente.put('/api/config', { version, config: { retention } })).status).toBe(200)
    expect((await bente.put('/api/backups/settings', { ...plan, folder, monthly: 400 })).status).toBe(200)
    for (const day of ['2026-11-11', '2026-12-15', '2026-12-25']) {
      clock.set(`${day}T02:00:30Z`)
      await runDueBackup(site.app.context())
    }
    const left = (of = folder) => archivesIn(of).map((name) => name.slice(0, 'etalage-update-2026-12-25'.length))
    expect(left().toSorted()).toEqual(['etalage-2026-12-15T02-00-', 'etalage-2026-12-25T02-00-'])
    clock.set('2026-12-25T11:00:00Z')
    await backUpTo(site.app.context(), ofUpdates)
    for (const day of [26, 27, 28, 29]) {
      clock.set(`2026-12-${day}T11:00:00Z`)
      await backUpForUpdate(site.app.context(), ofUpdates)
    }
    const ofCommand = 'etalage-2026-12-25T11-00-'
    const newest = ['27', '28', '29'].map((day) => `etalage-update-2026-12-${day}`)
    expect(left(ofUpdates).toSorted()).toEqual([ofCommand, ...newest])
    // An archive that was moved away is none of the three, and its row does not stay for ever.
    const [moved = ''] = archivesIn(ofUpdates).filter((name) => name.startsWith('etalage-update-2026-12-29'))
    rmSync(join(ofUpdates, moved))
    clock.set('2026-12-30T11:00:00Z')
    await backUpForUpdate(site.app.context(), ofUpdates)
    expect(left(ofUpdates).toSorted()).toEqual([ofCommand, ...newest.slice(0, 2), 'etalage-update-2026-12-30'])
    const isListed = async () =>
      (await site.db.selectFrom('backup_run').select('id').where('name', '=', moved).execute()).length === 1
    clock.set('2027-03-01T02:00:30Z')
    await runDueBackup(site.app.context())
    expect([left(), left(ofUpdates)]).toEqual([['etalage-2027-03-01T02-00-'], [ofCommand]])
    expect(await isListed()).toBe(true)
    clock.set('2027-05-10T02:00:30Z')
    await runDueBackup(site.app.context())
    expect(await isListed()).toBe(false)
  })

  test('removes expired backups and their files from a former folder too, once that can be read again', async () => {
    const clock = aClock('2026-11-10T11:00:00Z')
    const site = await aTestApp({ database, now: clock.now, startJobs: false })
    let bente = await as(site, 'beheerder')
    await uploadFile(bente, 'prijslijst.pdf', aPdf('Prijslijst'))
    const [earlier, folder] = [aTempFolder(), aTempFolder()]
    const save = async (change: object) =>
      expect((await bente.put('/api/backups/settings', { ...plan, ...change })).status).toBe(200)
    const backUp = async (time: string) => {
      clock.set(time)
      await runDueBackup(site.app.context())
      bente = await as(site, 'beheerder')
    }
    await save({ folder: earlier })
    for (const day of [11, 12]) await backUp(`2026-11-${day}T02:00:30Z`)
    await save({ folder, version: 1 })
    const left = () => readdirSync(earlier, { recursive: true }).filter((name) => String(name).endsWith('.age'))
    const beside = left().find((name) => /^etalage-files-.*\/[0-9a-f]{64}\.age$/.test(String(name)))
    utimesSync(join(earlier, String(beside)), new Date('2026-11-11'), new Date('2026-11-11'))
    await backUp('2027-11-11T11:00:00Z')
    expect(archivesIn(earlier)).toEqual([expect.stringContaining('2026-11-12')])
    renameSync(earlier, `${earlier}-away`)
    await backUp('2027-11-14T11:00:00Z')
    expect(archivesIn(folder)).toHaveLength(2)
    renameSync(`${earlier}-away`, earlier)
    await backUp('2027-11-15T11:00:00Z')
    expect(left().filter((name) => !String(name).startsWith('etalage-journal-'))).toEqual([])
    const { runs }: Backups = await (await bente.get('/api/backups')).json()
    expect(new Set(runs.map(({ target }) => target))).toEqual(new Set([folder]))
  })
})

test.runIf(canMount)('an update can use its backup though an older one cannot be removed', async () => {
  const clock = aClock('2026-11-10T11:00:00Z')
  const site = await aTestApp({ now: clock.now, startJobs: false })
  const folder = aTempFolder()
  const make = (day: number) => {
    clock.set(`2026-11-${day}T11:00:00Z`)
    return backUpForUpdate(site.app.context(), folder)
  }
  const first = join(folder, (await make(11)).name)
  for (const day of [12, 13]) expect(await make(day)).toMatchObject({ notRemoved: undefined })
  // A mounted file cannot be removed, not even by root.
  expect(spawnSync('mount', ['--bind', first, first]).status).toBe(0)
  const unmount = () => spawnSync('umount', [first]).status
  closeAfterTest(() => void unmount())
  const made = await make(14)
  expect(made.notRemoved).toMatch(/cannot be written to: EBUSY/)
  expect(archivesIn(folder)).toHaveLength(4)
  const { identity } = await site.app.context().backups.key()
  expect((await checkBackup(join(folder, made.name), identity)).header.madeAt).toBe('2026-11-14T11:00:00.000Z')
  unmount()
  expect(await make(15)).toMatchObject({ notRemoved: undefined })
  expect(archivesIn(folder)).toHaveLength(3)
})

test('backups go to a bucket, whose key is stored encrypted and never shown', async () => {
  const url = await aBucket()
  const { endpoint, bucket, credentials } = parseStorageUrl(url)
  const clock = aClock('2026-11-10T11:00:00Z')
  const site = await aTestApp({ now: clock.now, startJobs: false })
  await sendMessage(site, 'roya')
  const bente = await as(site, 'beheerder')
  const inBucket = { ...plan, kind: 's3', endpoint, bucket, prefix: 'nacht', ...credentials }
  const wrong = await bente.put('/api/backups/settings', { ...inBucket, bucket: 'bestaat-niet' })
  expect((await wrong.json()).errors).toEqual([expect.objectContaining({ path: 'endpoint' })])
  const saved = await bente.put('/api/backups/settings', inBucket)
  expect(await saved.json()).toMatchObject({ kind: 's3', hasSecret: true, accessKeyId: 'S3RVER' })
  const { value } = await site.db.selectFrom('backup_setting').select('value').executeTakeFirstOrThrow()
  expect(JSON.parse(value).encryptedSecret).toMatch(/^[0-9a-f]{40,}$/)
  const elsewhere = { ...inBucket, secretAccessKey: '', endpoint: 'http://127.0.0.1:1' }
  const asked = await bente.put('/api/backups/settings', elsewhere)
  expect((await asked.json()).errors, 'the stored key goes to no other server').toEqual([
    expect.objectContaining({ path: 'secretAccessKey' }),
  ])
  const inFolder = { ...elsewhere, kind: 'folder', folder: aTempFolder() }
  expect((await bente.put('/api/backups/settings', inFolder)).status).toBe(200)
  const byFolder = await bente.put('/api/backups/settings', elsewhere)
  expect((await byFolder.json()).errors, 'nor by way of a folder').toEqual([
    expect.objectContaining({ path: 'secretAccessKey' }),
  ])
  expect((await bente.put('/api/backups/settings', { ...inBucket, secretAccessKey: '' })).status).toBe(200)
  const secret = 'another secret of at least 32 characters'
  const changed = await aTestApp({ beside: site, settings: { secret }, now: clock.now, startJobs: false })
  const again = await as(changed, 'beheerder')
  const tried = await again.post('/api/backups/try', { ...inBucket, secretAccessKey: '' })
  expect(await tried.json()).toEqual({ error: expect.stringMatching(/bewaard met een ander geheim/) })

  await bente.post('/api/backups', {})
  await runDueBackup(site.app.context())
  const { runs }: Backups = await (await bente.get('/api/backups')).json()
  expect(runs[0]).toMatchObject({ state: 'done', target: `${endpoint}/${bucket}/nacht`, error: '' })
  expect(runs[0]?.rows).toBeGreaterThan(10)

  const { identity } = await site.app.context().backups.key()
  const { origin } = site.app.context()
  const { version } = readRelease(process.cwd())
  for (const [language, title, installed] of [
    ['nl', 'HERSTELBLAD VAN Maaslicht', `versie ${version} of een nieuwere`],
    ['fa', 'برگهٔ بازیابی \u2068Maaslicht\u2069', `نسخهٔ \u2068${version}\u2069 یا تازه‌تر`],
    ['en', 'RECOVERY SHEET OF Maaslicht', `version ${version} or a newer one`],
  ] as const) {
    const headers = { 'Content-Type': 'application/json', 'Accept-Language': language }
    const answer = await bente.request('/api/backups/recovery-sheet', { method: 'POST', headers, body: '{}' })
    const { text } = await answer.json()
    expect(text.replaceAll(' ', '')).toContain(identity)
    for (const part of [title, installed, origin, `${endpoint}/${bucket}/nacht`]) expect(text).toContain(part)
    expect(text).not.toContain('{{')
  }
  clock.set('2026-11-10T11:20:00Z')
  const later = await bente.post('/api/backups/recovery-sheet', {})
  expect((await later.json()).code).toBe('password_needed')
  const unconfirmed = [bente.put('/api/backups/settings', inBucket), bente.post('/api/backups/try', inBucket)]
  for (const answer of await Promise.all(unconfirmed)) expect((await answer.json()).code).toBe('password_needed')
})

test('only a few backup targets are tested at a time, and a request beyond that is asked to try again later', async () => {
  const held: ServerResponse[] = []
  let isOpen = false
  const refuse = (response: ServerResponse) => response.writeHead(403).end()
  const server = createServer((request, response) => {
    request.resume()
    if (isOpen) refuse(response)
    else held.push(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterTest(() => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  const credentials = { accessKeyId: 'sleutel', secretAccessKey: 'geheim' }
  const tryIt = () => bente.post('/api/backups/try', { ...plan, kind: 's3', endpoint, bucket: 'kluis', ...credentials })

  const running = [tryIt(), tryIt(), tryIt()]
  await waitUntil(() => held.length === 3, 'three tries at the server')
  // Three of these four wait.
  const waiting = [tryIt(), tryIt(), tryIt(), tryIt()]
  const first = await Promise.race(waiting)
  expect([first.status, first.headers.get('Retry-After'), (await first.json()).code]).toEqual([429, '1', 'too_many'])
  isOpen = true
  for (const response of held) refuse(response)
  const statuses = (await Promise.all([...running, ...waiting])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 200, 429])
})

test('the program does not start while a restore replaces its site, and starts after that restore was killed', async () => {
  const site = await aTestApp({ startJobs: false })
  await site.stop()
  const marker = join(site.settings.dataDir, 'restoring')
  const age = (minutes: number) => {
    const at = new Date(Date.now() - minutes * 60_000)
    utimesSync(marker, at, at)
  }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await whileRestoring(site.settings.dataDir, async () => {
    age(10)
    // On a disk of the network the server's clock would date it, which may differ.
    const dated = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * 60_000)
    vi.advanceTimersByTime(10_000)
    expect(Math.abs(statSync(marker).mtimeMs - Date.now())).toBeLessThan(1_000)
    dated.mockRestore()
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    const started = aTestApp({ beside: site, startJobs: false })
    await expect(started).rejects.toThrow(/replaces by that of a backup/)
  }).finally(() => vi.useRealTimers())
  // A process of another container has the same id as one of this.
  writeFileSync(marker, '1')
  age(2)
  const { request } = await aTestApp({ beside: site, startJobs: false })
  expect((await request('/healthz')).status).toBe(200)
})

describe.each(databases)('a proof (test restore of a backup) on %s', (database) => {
  test('is repeated when its process was killed, and not when it ended with an error', async () => {
    allowErrors(/a backup was not proved/)
    const clock = aClock('2026-11-10T11:00:00Z')
    const site = await aTestApp({ database, now: clock.now, startJobs: false })
    const bente = await as(site, 'beheerder')
    expect((await bente.put('/api/backups/settings', { ...plan, folder: aTempFolder() })).status).toBe(200)
    clock.set('2026-11-11T02:00:30Z')
    await runDueBackup(site.app.context())
    const endWith = (error: Error) => runProof(site, undefined, () => Promise.reject(error))
    const killed = await endWith(new ProcessKilled({ key: 'processKilled', signal: 'SIGKILL' }))
    expect(killed).toMatchObject({ state: 'unknown', day: null, reason: 'its process was ended by SIGKILL' })
    const ended = await endWith(new Error('its process was ended by an error'))
    expect(ended).toMatchObject({ state: 'unknown', day: '2026-11-11', reason: 'its process was ended by an error' })
    expect(await runProof(site)).toBeUndefined()
  })

  test('restores the newest backup aside, compares it with the site, and says what is wrong when that fails', async () => {
    allowErrors(/a backup was not proved|the backup failed/)
    const clock = aClock('2026-11-10T11:00:00Z')
    const site = await aTestApp({ database, now: clock.now, startJobs: false })
    let bente = await as(site, 'beheerder')
    await sendMessage(site, 'roya')
    await uploadFile(bente, 'offerte.pdf', aPdf())
    const folder = aTempFolder()
    const shown = async (): Promise<Backups> => (await bente.get('/api/backups')).json()
    const found = () => findBackupStatus(site.app.context())
    const prove = () => runProof(site)
    const byHand = async () => {
      expect((await bente.post('/api/backups/proofs', {})).status).toBe(202)
      return prove()
    }

    expect((await bente.post('/api/backups/proofs', {})).status, 'there is no backup yet').toBe(404)
    expect((await bente.put('/api/backups/settings', { ...plan, folder })).status).toBe(200)
    const later = async (time: string) => {
      clock.set(time)
      bente = await as(site, 'beheerder')
    }
    await later('2026-11-11T02:00:30Z')
    await runDueBackup(site.app.context())
    // The program stops while the archive is read: asked for the second time, the signal says so.
    const stopping = new AbortController()
    const { signal } = stopping
    let asked = 0
    signal.throwIfAborted = () => {
      if (++asked === 2) stopping.abort()
      if (signal.aborted) throw signal.reason
    }
    const stopped = { state: 'unknown', day: null, reason: 'interrupted' }
    expect(await runProof(site, signal)).toMatchObject(stopped)
    expect(asked, 'the archive was not read to its end').toBe(2)
    expect(readdirSync(join(site.settings.dataDir, 'arriving')), 'the copy is removed').toEqual([])
    expect(await prove()).toMatchObject({ state: 'proved', day: '2026-11-11', reason: '' })
    expect(await prove(), 'once a day').toBeUndefined()
    const { proofs, lost, runs } = await shown()
    const name = runs[0]?.name ?? ''
    expect(proofs).toMatchObject([
      { state: 'proved', madeBy: 'clock', name, findings: { pages: 10, changedPages: 0, signedIn: true } },
      { state: 'unknown', reason: 'interrupted' },
    ])
    expect(proofs[0]?.findings).toMatchObject({ rows: runs[0]?.rows, files: runs[0]?.files })
    expect(proofs[0]?.findings?.files).toBeGreaterThan(0)
    expect(lost).toMatchObject({ since: '2026-11-11T02:00:30.000Z', messages: 0, changes: 0 })
    expect(readdirSync(join(site.settings.dataDir, 'arriving')), 'the copy is removed').toEqual([])
    // An instance with a key of its own makes and proves none.
    const backupKey = await generateX25519Identity()
    const siteWithOtherKey = await aTestApp({ beside: site, settings: { backupKey }, now: clock.now, startJobs: false })
    const wrongKey = expect.stringMatching(/set BACKUP_KEY to that of the recovery sheet/)
    expect((await bente.post('/api/backups/proofs', {})).status).toBe(202)
    expect(await runProof(siteWithOtherKey)).toMatchObject({ state: 'unknown', reason: wrongKey })
    expect((await bente.post('/api/backups', {})).status).toBe(202)
    await runDueBackup(siteWithOtherKey.app.context())
    expect((await shown()).runs[0]).toMatchObject({
      ...{ state: 'failed', madeBy: 'hand' },
      error: expect.stringMatching(/zet in BACKUP_KEY die van het herstelblad/),
    })
    expect(archivesIn(folder)).toEqual([name])
    await site.db.deleteFrom('backup_run').where('state', '=', 'failed').execute()

    // The copy is a SQLite whatever the database of the site is.
    if (database === 'postgres') return

    await later('2026-11-11T03:00:00Z')
    await sendMessage(site, 'roya')
    const { version } = await (await bente.get('/api/config')).json()
    expect((await bente.put('/api/config', { version, config: { brand: 'Anders' } })).status).toBe(200)
    expect((await shown()).lost).toMatchObject({ messages: 1, changes: 1 })
    expect(await byHand(), 'the site changed since').toMatchObject({ state: 'proved', day: null })
    expect((await shown()).proofs[0]?.findings).toMatchObject({ pages: 0, changedPages: 10 })

    // Cut off, altered, gone, and a target that is not there.
    const archive = join(folder, name)
    const good = readFileSync(archive)
    writeFileSync(archive, good.subarray(0, good.length / 2))
    expect(await byHand()).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/is not the file that was stored/),
    })
    expect(await found()).toMatchObject({ state: 'unproved' })
    const log = await (await bente.get('/api/audit?pageSize=100')).json()
    expect(log.data[0]).toMatchObject({ action: 'backup.disproved' })
    rmSync(archive)
    expect(await byHand()).toMatchObject({ state: 'failed', reason: expect.stringMatching(/does not have/) })
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, 'a file')
    expect(await byHand()).toMatchObject({ state: 'unknown', reason: expect.stringMatching(/cannot be read: ENOTDIR/) })
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
    writeFileSync(archive, good)

    // The next night no backup was made: the newest one is proved all the same.
    clock.set('2026-11-12T03:00:00Z')
    expect(await prove()).toBeUndefined()
    clock.set('2026-11-12T08:00:01Z')
    expect(await prove()).toMatchObject({ state: 'proved', day: '2026-11-12', name })
    expect(await findBackupStatus(site.app.context())).toMatchObject({
      state: 'late',
      proof: { outcome: 'proved', backupAt: new Date('2026-11-11T02:00:30.000Z') },
    })
  })
})

describe.each(databases)('a fault that a proof finds in a restored backup, on %s,', (database) => {
  test('is reported with its cause, in the language of the requester, and fails the check of Health', async () => {
    allowErrors(/a backup was not proved|SyntaxError|unexpected error/)
    const clock = aClock('2026-11-10T11:00:00Z')
    const site = await aTestApp({ database, now: clock.now, startJobs: false })
    const { db } = site
    const bente = await as(site, 'beheerder')
    const { id: fileId } = await uploadFile(bente, 'offerte.pdf', aPdf())
    expect((await bente.put('/api/backups/settings', { ...plan, folder: aTempFolder() })).status).toBe(200)
    let minutes = 0
    const backUp = async () => {
      clock.set(`2026-11-10T11:${String(++minutes).padStart(2, '0')}:00Z`)
      expect((await bente.post('/api/backups', {})).status).toBe(202)
      await runDueBackup(site.app.context())
    }
    const prove = async (signal?: AbortSignal) => {
      expect((await bente.post('/api/backups/proofs', {})).status).toBe(202)
      const { state, reason } = (await runProof(site, signal)) ?? {}
      const [{ reason: inDutch } = { reason: '' }] = (await (await bente.get('/api/backups')).json()).proofs
      const { outcome, text } = await backupCheck.run({ ...site.app.context(), now: clock.now } as never)
      return { state, reason, inDutch, health: [outcome, text] }
    }
    /** The rows of a column as they are in the backup, and are not on the site when it is proved. */
    const proveWith = async (table: 'page_revision' | 'user' | 'stored_blob', change: object) => {
      const rows = await db.selectFrom(table).selectAll().execute()
      await db.updateTable(table).set(change).execute()
      await backUp()
      for (const { id, ...row } of rows) {
        const before = Object.fromEntries(Object.keys(change).map((name) => [name, (row as never)[name]]))
        await db
          .updateTable(table)
          .set(before)
          .where('id', '=', id as never)
          .execute()
      }
      return prove()
    }
    const health = ['failed', 'backupUnproved']

    // The text of a page is another one, and no change of it was noted.
    expect(await proveWith('page_revision', { text: sql`replace(text, '"title":"', '"title":"Niet ')` })).toEqual({
      state: 'failed',
      reason: 'the page / of the copy looks different from that of the site',
      inDutch: 'de pagina / van de kopie ziet er anders uit dan die van de site',
      health,
    })
    // The copy is a SQLite whatever the database of the site is.
    if (database === 'postgres') return

    expect(await proveWith('page_revision', { text: '{' })).toEqual({
      state: 'failed',
      reason: 'the page / of the copy answers 500',
      inDutch: 'de pagina / van de kopie antwoordt 500',
      health,
    })
    expect(await proveWith('user', { email: sql`upper(email)` })).toEqual({
      state: 'failed',
      reason: 'nobody can sign in to the copy: signing in answers 401, and then 401',
      inDutch: 'niemand kan bij de kopie inloggen: het inloggen antwoordt 401 en daarna 401',
      health,
    })
    const { blob_id: blobId } = await db
      .selectFrom('file')
      .select('blob_id')
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow()
    expect(await proveWith('stored_blob', { bytes: sql`bytes + 1` })).toEqual({
      state: 'failed',
      reason: `files of the site are missing in the backup, or have another size: 1 (${blobId})`,
      inDutch: `bestanden van de site ontbreken in de back-up of hebben een andere grootte: 1 (${blobId})`,
      health,
    })

    // The disk loses a row of the copy, which others refer to: looked for whenever the proof may be stopped.
    await backUp()
    const { signal } = new AbortController()
    let isLost = false
    signal.throwIfAborted = () => {
      isLost ||= loseRow(join(site.settings.dataDir, 'arriving'))
    }
    expect(await prove(signal)).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^the restored database is damaged: .*page_text: a row refers to one that does/),
      inDutch: expect.stringMatching(/^de teruggezette database is beschadigd: .*page_text: a row refers to one/),
      health,
    })
    expect(isLost).toBe(true)
    const { reason } = await db
      .selectFrom('backup_proof')
      .select('reason')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(reason.length).toBeLessThan(1_100)
    const [entry] = (await (await bente.get('/api/audit?action=backup.disproved')).json()).data
    expect(entry.after.reason).toMatch(/^the restored database is damaged: .{900}/)
    expect(entry.after.reason.length).toBe(1_000)
  })
})

describe.each(databases)('the command line of backups on %s', (database) => {
  test('waits with a proof for a running backup, and withdraws only its own request', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const at = new Date().toISOString()
    const backup = { made_by: 'command', state: 'done', target: aTempFolder(), name: 'x', asked_at: at } as const
    await site.db.transaction().execute((tx) => insertRun(tx, backup))
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/backups/proofs', {})).json()
    const proofs = () => site.db.selectFrom('backup_proof').select(['id', 'state']).execute()
    const proveAtOnce = () => runCommandInProcess(dataSettingsOf(site.settings), () => prove({ takenUpWithinMs: -1 }))
    expect(await proveAtOnce()).toMatchObject({
      code: 1,
      err: expect.stringContaining('No running program took it up'),
    })
    expect(await proofs()).toEqual([{ id, state: 'waiting' }])
    await site.db.deleteFrom('backup_proof').execute()
    expect(await proveAtOnce()).toMatchObject({
      code: 1,
      err: expect.stringContaining('No running program took it up'),
    })
    expect(await proofs()).toEqual([])

    await aRunningBackup(site)
    const waiting = proveAtOnce()
    await waitUntil(async () => (await proofs()).length === 1, 'the proof that was asked for')
    await site.db.updateTable('backup_proof').set({ state: 'running', lease_until: at }).execute()
    await site.db.updateTable('backup_run').set({ state: 'done', lease_until: null }).execute()
    expect(await waiting).toMatchObject({ code: 1, err: 'The program stopped during the proof.\n' })
  })

  test('prints where the backups are on the recovery sheet, and is in the audit log', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    const folder = aTempFolder()
    expect((await bente.put('/api/backups/settings', { ...plan, folder })).status).toBe(200)
    const print = (replaceKey: boolean, more = {}) =>
      runCommandInProcess({ ...dataSettingsOf(site.settings), ...more }, () => printRecoverySheet({ replaceKey }))
    expect(await print(false)).toMatchObject({ code: 0, out: expect.stringContaining(folder) })
    const { recipient } = await site.app.context().backups.key()
    expect((await print(true, { BACKUP_KEY: await generateX25519Identity() })).code).toBe(0)
    const logged = site.db.selectFrom('audit').select(['action', 'actor_id', 'before']).orderBy('id', 'desc').limit(3)
    const shown = { action: 'backup.sheet_shown', actor_id: null, before: null }
    const replaced = { action: 'backup.settings_changed', actor_id: null, before: JSON.stringify({ recipient }) }
    expect(await logged.execute()).toEqual([shown, replaced, shown])
  })
})

/** Deletes a page of a restored copy, leaves its texts, and makes the damage long. @returns whether a copy was there with its rows */
function loseRow(folder: string): boolean {
  const [copy] = readdirSync(folder).map((name) => join(folder, name, 'site', 'etalage.sqlite'))
  if (!copy || !existsSync(copy)) return false
  const db = new DatabaseSync(copy, { enableForeignKeyConstraints: false })
  try {
    const isThere = db.prepare("select count(*) as n from sqlite_master where name = 'page'").get()?.n === 1
    if (!isThere || db.prepare('delete from page where id = 1').run().changes === 0) return false
    const long = 'a'.repeat(2_000)
    db.exec(`create table ${long} (page_id integer references page (id)); insert into ${long} values (1)`)
    return true
  } catch (error) {
    // The restore has not committed.
    if (/locked/.test(String(error))) return false
    throw error
  } finally {
    db.close()
  }
}
