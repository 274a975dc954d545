import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { restore as restoreCommand } from '../../src/cli/backup.ts'
import { restoreOnePage } from '../../src/cli/restore-one.ts'
import type { Backups } from '../../src/contract/backups.ts'
import { findRetentionError } from '../../src/domain/backup/backup-run.queries.ts'
import { findOrCreateSiteKey } from '../../src/domain/backup/backup-settings.ts'
import { removeUnusedBlobFiles, requireBlobFiles } from '../../src/domain/backup/blob-files.ts'
import { checkBackup } from '../../src/domain/backup/check-backup.ts'
import { siteIdOf } from '../../src/domain/backup/contents.ts'
import { extractBlobs } from '../../src/domain/backup/open-backup.ts'
import { proveBackup } from '../../src/domain/backup/prove-backup.ts'
import { restoreBackup } from '../../src/domain/backup/restore-backup.ts'
import { backUpTo, runDueBackup } from '../../src/domain/backup/run-backup.ts'
import { resizeNextImage } from '../../src/domain/files/resize-images.ts'
import { writeArchive } from '../../src/platform/archive/archive.ts'
import { type BackupTarget, folderTarget } from '../../src/platform/archive/backup-target.ts'
import { s3Target } from '../../src/platform/archive/s3-target.ts'
import { whileRestoring } from '../../src/platform/config/restoring.ts'
import { readMigrations } from '../../src/platform/db/database.ts'
import { migrationNames } from '../../src/platform/db/migrations/migration-names.ts'
import { recordErasure } from '../../src/platform/db/restore-journal.ts'
import { parseStorageUrl } from '../../src/platform/storage/s3.ts'
import { createTemporaryFiles } from '../../src/platform/storage/temporary-files.ts'
import {
  aBackupOf,
  archivesIn,
  dataSettingsOf,
  filesIn,
  rowsIn,
  runProof,
  type SiteStorage,
} from '../support/backups.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfTemplate, anEmptyDatabase, aTempFolder, type DatabaseKind, databases } from '../support/databases.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { sendMessage } from '../support/messages.ts'
import { aParagraph, publishedPage } from '../support/pages.ts'
import { aMessageOf } from '../support/people.ts'
import { runCommandInProcess } from '../support/run-command-in-process.ts'
import { aBucket } from '../support/s3.ts'
import { as, aUser } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { aPdf, aPhoto, replaceContent, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const plan = {
  ...{ scheduled: false, time: '03:00', daily: 7, weekly: 0, monthly: 0, kind: 'folder', folder: '' },
  ...{ endpoint: '', region: 'us-east-1', bucket: '', prefix: '', accessKeyId: '' },
}

/** A site that keeps backups in a folder, which are made when the test says so. */
async function aSiteWithBackups(database: DatabaseKind) {
  let at = new Date('2026-11-10T11:00:00Z')
  const now = () => at
  const site = await aTestApp({ database, now, startJobs: false })
  const folder = aTempFolder()
  let bente = await as(site, 'beheerder')
  const save = async (change: object) =>
    expect((await bente.put('/api/backups/settings', { ...plan, folder, ...change })).status).toBe(200)
  const shown = async (): Promise<Backups> => (await bente.get('/api/backups')).json()
  /** A session ends within a day. */
  const tomorrow = async () => {
    at = new Date(at.getTime() + 24 * 60 * 60_000)
    bente = await as(site, 'beheerder')
  }
  /** The newest run, after a backup was asked for and made: one a day, for the rule keeps no other. */
  const backUp = async () => {
    await tomorrow()
    expect((await bente.post('/api/backups', {})).status).toBe(202)
    await runDueBackup(site.app.context())
    const [run] = (await shown()).runs
    if (run?.state !== 'done') throw new Error(`the backup failed: ${run?.error}`)
    return run
  }
  const prove = async () => {
    at = new Date(at.getTime() + 60_000)
    expect((await bente.post('/api/backups/proofs', {})).status).toBe(202)
    return runProof(site)
  }
  return { site, now, folder, bente: () => bente, tomorrow, save, shown, backUp, prove }
}

/** The files beside the archives of a folder, each with the time of its last change. */
function filesBeside(folder: string): Map<string, number> {
  const [beside = ''] = readdirSync(folder).filter((name) => name.startsWith('etalage-files-'))
  const path = join(folder, beside)
  const names = beside === '' ? [] : readdirSync(path).filter((name) => /^[0-9a-f]{64}\.age$/.test(name))
  return new Map(names.sort().map((name) => [join(path, name), statSync(join(path, name)).mtimeMs]))
}

/** An unlisted file in the folder beside the archives. @returns its path */
function anUnlistedFile(folder: string, digit: string, { days = 0 } = {}): string {
  const [beside = ''] = readdirSync(folder).filter((name) => name.startsWith('etalage-files-'))
  const path = join(folder, beside, `${digit.repeat(64)}.age`)
  writeFileSync(path, 'iets')
  const at = new Date(Date.now() - days * 24 * 60 * 60_000)
  utimesSync(path, at, at)
  return path
}

/** `restore` of an archive into a site without content, or over another one. @returns its storage, and the result of the command */
async function restored(
  archive: string,
  BACKUP_KEY: string,
  {
    database = 'sqlite' as DatabaseKind,
    withoutDamaged = false,
    check = false,
    over = undefined as SiteStorage | undefined,
  } = {},
) {
  // It has its tables: creating them takes longer than the restore.
  const siteStorage = over ?? (await aCopyOfTemplate('migrated', database))
  const output = await runCommandInProcess({ ...dataSettingsOf(siteStorage), BACKUP_KEY }, () =>
    restoreCommand(archive, { yes: true, moved: false, check, withoutDamaged }),
  )
  return { siteStorage, ...output }
}

function flipLastByte(path: string): void {
  const bytes = readFileSync(path)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  writeFileSync(path, bytes)
}

/** Linux answers who reads the file as a disk with a bad sector does: EIO. */
function toBadSector(path: string): void {
  rmSync(path)
  symlinkSync('/proc/self/mem', path)
}

describe.each(databases)('files that did not change, of a site on %s', (database) => {
  test('are not copied again, restored from each backup, and removed with the last one that has them', async () => {
    const { site, folder, bente, save, backUp } = await aSiteWithBackups(database)
    await save({})
    const { identity } = await site.app.context().backups.key()
    const list = await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst'))
    const pageId = await publishedPage(bente(), {
      title: 'Werk',
      slug: 'werk',
      body: [aParagraph(`<a href="${list.url}">Lijst</a>`)],
    })
    // As an earlier version made it: with its files.
    const { name: whole } = await backUpTo(site.app.context(), folder)
    await site.db.updateTable('backup_run').set({ made_by: 'clock' }).where('name', '=', whole).execute()
    expect(filesBeside(folder).size).toBe(0)

    const first = await backUp()
    const filesOfFirst = filesIn(site.settings)
    const beside = filesBeside(folder)
    expect([first.files, beside.size]).toEqual([1, 1])
    for (const path of beside.keys()) expect(readFileSync(path).includes('Prijslijst')).toBe(false)
    const second = await backUp()
    expect([second.files, filesBeside(folder)], 'nothing was written again').toEqual([1, beside])
    expect(second.bytes).toBe(statSync(join(folder, second.name)).size)

    await uploadFile(bente(), 'voorwaarden.pdf', aPdf('Voorwaarden'))
    const third = await backUp()
    const both = filesBeside(folder)
    const [added, ...more] = [...both.keys()].filter((path) => !beside.has(path))
    expect(more).toEqual([])
    for (const [path, writtenAt] of beside) expect(both.get(path)).toBe(writtenAt)
    expect(third.bytes).toBe(statSync(join(folder, third.name)).size + statSync(added ?? '').size)

    const older = await restored(join(folder, first.name), identity, { database })
    expect(older).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Files: 1.') })
    expect(filesIn(older.siteStorage)).toEqual(filesOfFirst)

    // A file that was deleted comes back out of an old backup.
    expect((await bente().post(`/api/pages/${pageId}/bin`)).status).toBeLessThan(300)
    for (const path of [`/api/pages/${pageId}`, `/api/files/${list.id}`]) {
      expect([path, (await bente().delete(path)).status]).toEqual([path, 204])
    }
    const settings = { ...dataSettingsOf(site.settings), SITE_CONFIG: site.settings.siteConfig }
    const taken = await runCommandInProcess(settings, () => restoreOnePage(join(folder, second.name), '/werk'))
    expect(taken).toMatchObject({ code: 0, err: '', out: expect.stringContaining('prijslijst.pdf.') })
    const again = await site.request(list.url)
    expect(Buffer.from(await again.arrayBuffer()).equals(Buffer.from(aPdf('Prijslijst')))).toBe(true)

    // What a killed run leaves, and what others have there.
    const inFolder = dirname(added ?? '')
    const left = join(inFolder, `${'0'.repeat(64)}.age`)
    const cutOff = `${left}.x.partial`
    const others = [join(inFolder, 'notities.txt'), join(folder, 'etalage-van-een-ander.tar.age')]
    for (const path of [left, cutOff, ...others]) writeFileSync(path, 'iets')
    for (const path of [...filesBeside(folder).keys(), cutOff]) utimesSync(path, 0, 0)
    await save({ daily: 1 })
    const last = await backUp()
    expect(archivesIn(folder).toSorted()).toEqual([last.name, 'etalage-van-een-ander.tar.age'].toSorted())
    expect(readdirSync(inFolder)).toHaveLength(3)
    expect([...filesBeside(folder).keys()]).toEqual(expect.arrayContaining([added]))
    expect([...filesBeside(folder).keys()]).not.toContain(left)
    const { siteStorage } = await restored(join(folder, last.name), identity, { database })
    const contents = ['Prijslijst', 'Voorwaarden'].map((text) => Buffer.from(aPdf(text)).toString('base64'))
    expect(Object.values(filesIn(siteStorage)).toSorted()).toEqual(contents.toSorted())
  })
})

test('a file of a backup that is missing, cut off, altered, unreadable or another file is reported, and written again by the next backup', async () => {
  allowErrors(/a backup was not proved/)
  const { site, folder, bente, save, shown, backUp, prove } = await aSiteWithBackups('sqlite')
  await save({})
  const { identity } = await site.app.context().backups.key()
  for (const name of ['een', 'twee', 'drie', 'vier', 'vijf', 'zes', 'zeven'])
    await uploadFile(bente(), `${name}.pdf`, aPdf(name))
  const { name } = await backUp()
  const good = filesBeside(folder)
  const [missing = '', cut = '', altered = '', swapped = '', ofOtherKey = '', bad = '', untouched = ''] = good.keys()
  rmSync(missing)
  truncateSync(cut, 100)
  flipLastByte(altered)
  toBadSector(bad)
  writeFileSync(swapped, readFileSync(untouched))
  const recipient = await identityToRecipient(await generateX25519Identity())
  const inFolder = { target: folderTarget(dirname(ofOtherKey)), name: ofOtherKey.slice(dirname(ofOtherKey).length + 1) }
  await writeArchive(inFolder, recipient, async (add) => void (await add('files/x/original', ['iets'])))

  const failed = await restored(join(folder, name), identity, { over: await anEmptyDatabase('sqlite') })
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(existsSync(join(failed.siteStorage.dataDir, 'etalage.sqlite')), 'nothing is restored').toBe(false)
  expect(failed.err).toMatch(
    /needs the folder etalage-files-\w+ beside it, with files that are missing or damaged: 6 of 7 \(/,
  )
  const rest = await restored(join(folder, name), identity, { withoutDamaged: true })
  expect(rest).toMatchObject({ code: 0, out: expect.stringMatching(/damaged, with what the site lists of them: 6\./) })
  expect(rest.out).not.toContain('complete')
  const checked = await restored(join(folder, name), identity, { withoutDamaged: true, check: true })
  expect(checked).toMatchObject({ code: 1, out: '', err: failed.err })
  expect(Object.keys(filesIn(rest.siteStorage))).toHaveLength(1)
  const { file: listed } = await rowsIn(rest.siteStorage)
  expect(listed).toHaveLength(1)

  expect(await prove()).toMatchObject({ state: 'failed', reason: expect.stringMatching(/damaged: 6 of 7 \(/) })
  const damaged = [missing, cut, altered, swapped, ofOtherKey, bad].map((path) => path.slice(dirname(path).length + 1))
  expect((await shown()).proofs[0]?.findings?.damagedFiles?.toSorted()).toEqual(damaged.toSorted())

  await backUp()
  expect(filesBeside(folder).get(untouched), 'only what was damaged is written again').toBe(good.get(untouched))
  expect(await prove()).toMatchObject({ state: 'proved' })
  expect((await shown()).proofs[0]?.findings).toMatchObject({ files: 7, signedIn: true })
  const healed = await restored(join(folder, name), identity)
  expect([healed.code, filesIn(healed.siteStorage)], 'the older backup too').toEqual([0, filesIn(site.settings)])

  // What is missing or cut off needs no proof to be noticed.
  const { size } = statSync(cut)
  rmSync(missing)
  truncateSync(cut, 100)
  toBadSector(bad)
  // A site that has such files itself keeps them, unless they were altered.
  const { siteStorage } = healed
  const kept = await restored(join(folder, name), identity, { over: siteStorage, withoutDamaged: true })
  expect(kept).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Kept as the site has them: .*: 3\.$/m) })
  expect(filesIn(siteStorage)).toEqual(filesIn(site.settings))
  const rows = await rowsIn(siteStorage)
  expect(rows.file).toHaveLength(7)
  expect(rows.stored_blob?.filter((row) => row.includes('released'))).toEqual([])
  for (const file of Object.keys(filesIn(siteStorage))) flipLastByte(join(siteStorage.dataDir, 'files', file))
  const refused = await restored(join(folder, name), identity, { over: siteStorage })
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/damaged: 3 of 7 \(.*\.age is missing[;)]/) })
  expect(refused.err).toMatch(/\/[0-9a-f]{64}\.age cannot be read: EIO: i\/o error/)
  // While an older backup cannot be read, nothing tells which files it needs.
  const unlisted = anUnlistedFile(folder, '0', { days: 9 })
  truncateSync(join(folder, name), 10)
  await backUp()
  expect(existsSync(unlisted)).toBe(true)
  expect([filesBeside(folder).has(missing), statSync(cut).size]).toEqual([true, size])
  const hindrance = () => findRetentionError(site.db, { target: folder, since: '' })
  expect(await hindrance(), 'the screen Health tells it').toContain(name)
  // Taken away, it needs no file any more.
  rmSync(join(folder, name))
  await backUp()
  expect([existsSync(unlisted), await hindrance()]).toEqual([false, ''])
})

test('a backup run whose lease expired while it stalled stores no backup when it continues', async () => {
  allowErrors(/the backup failed/)
  const { site, now, folder, bente, save, shown, backUp } = await aSiteWithBackups('sqlite')
  await save({})
  const { identity } = await site.app.context().backups.key()
  await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst'))
  const { storage } = site.app.context().uploads
  const stalled = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const slow = {
    ...storage,
    async list(blobId: string) {
      stalled.resolve()
      await goOn.promise
      return storage.list(blobId)
    },
  }
  expect((await bente().post('/api/backups', {})).status).toBe(202)
  const running = runDueBackup({ ...site.app.context(), now, uploads: { storage: slow } })
  await stalled.promise
  await site.db.updateTable('backup_run').set({ lease_until: '2020-01-01T00:00:00.000Z' }).execute()
  const made = await backUp()
  goOn.resolve()
  await running
  expect((await shown()).runs).toMatchObject([
    { id: made.id, state: 'done' },
    { state: 'failed', error: 'interrupted' },
  ])
  expect(archivesIn(folder)).toEqual([made.name])
  expect((await restored(join(folder, made.name), identity)).code).toBe(0)
  const log = await (await bente().get('/api/audit?pageSize=100')).json()
  const entries = log.data.filter(({ action }: { action: string }) => action === 'backup.failed')
  expect(entries, 'it failed once').toHaveLength(1)
})

test('the archive of a backup run that failed is removed, by that run or by a later one', async () => {
  allowErrors(/the backup failed/)
  const { site, now, folder, bente, tomorrow, save, shown, backUp } = await aSiteWithBackups('sqlite')
  await save({})
  await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst'))
  const killed = await backUp()
  await uploadFile(bente(), 'voorwaarden.pdf', aPdf('Voorwaarden'))
  // A file that is stored already disappears while the next one is stored.
  const { storage } = site.app.context().uploads
  const losing = {
    ...storage,
    async list(blobId: string) {
      const stored = await storage.list(blobId)
      for (const path of filesBeside(folder).keys()) rmSync(path)
      return stored
    },
  }
  await tomorrow()
  expect((await bente().post('/api/backups', {})).status).toBe(202)
  await runDueBackup({ ...site.app.context(), now, uploads: { storage: losing } })
  expect((await shown()).runs[0]).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/raakte tijdens de back-up bestanden kwijt/),
  })
  expect(archivesIn(folder)).toEqual([killed.name])

  // Killed after its archive was stored, and before it was noted as done.
  await site.db
    .updateTable('backup_run')
    .set({ state: 'running', lease_until: '2020-01-01T00:00:00.000Z' })
    .where('id', '=', killed.id)
    .execute()
  // For a site that is restored from a backup of that moment, it may have been completed since.
  const elsewhere = aTempFolder()
  const { name: whole } = await backUpTo(site.app.context(), elsewhere)
  const { identity } = await site.app.context().backups.key()
  const { siteStorage } = await restored(join(elsewhere, whole), identity)
  const { backup_run: runs } = await rowsIn(siteStorage)
  expect(runs?.join()).toContain(whole)
  expect(runs?.join()).not.toContain(killed.name)
  const { name } = await backUp()
  expect(archivesIn(folder)).toEqual([name])
  expect((await shown()).runs.find(({ id }) => id === killed.id)).toMatchObject({ state: 'failed' })
})

test('a stored file that no archive lists is removed after two days, also when the key was replaced', async () => {
  const { site, folder, bente, tomorrow, save, backUp } = await aSiteWithBackups('sqlite')
  await save({})
  await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst'))
  const { name } = await backUp()
  const young = anUnlistedFile(folder, '0', { days: 1 })
  const old = anUnlistedFile(folder, '1', { days: 3 })
  // An archive of a newer version may list files in a way that this one does not know.
  const { recipient } = await site.app.context().backups.key()
  const newer = 'etalage-2999-01-01.tar.age'
  await writeArchive({ target: folderTarget(folder), name: newer }, recipient, async (add) => {
    await add('backup.json', ['{"format":99}'])
  })
  await backUp()
  expect([existsSync(young), existsSync(old)]).toEqual([true, true])
  rmSync(join(folder, newer))
  await backUp()
  expect([existsSync(young), existsSync(old)], 'a backup that another program makes may use it').toEqual([true, false])

  const identity = await generateX25519Identity()
  writeFileSync(join(site.settings.dataDir, 'backup-key'), identity)
  await tomorrow()
  await findOrCreateSiteKey(site.app.context(), { replace: true })
  const before = new Set(readdirSync(folder))
  await backUp()
  const [beside = ''] = readdirSync(folder).filter((one) => one.startsWith('etalage-files-') && !before.has(one))
  const unlisted = join(folder, beside, basename(old))
  writeFileSync(unlisted, 'iets')
  utimesSync(unlisted, 0, 0)
  const { name: ofNewKey } = await backUp()
  expect([existsSync(unlisted), existsSync(join(folder, name))]).toEqual([false, true])

  // One of the key of today that looks as if it had another.
  writeFileSync(unlisted, 'iets')
  utimesSync(unlisted, 0, 0)
  writeFileSync(join(folder, ofNewKey), readFileSync(join(folder, name)))
  await backUp()
  expect(existsSync(unlisted)).toBe(true)
})

test('a backup does not replace a stored file by a part of it, when staff delete the file while it is read', async () => {
  const { site, now, folder, bente, tomorrow, save, backUp } = await aSiteWithBackups('sqlite')
  await save({})
  await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst'))
  const { name } = await backUp()
  const [path = ''] = filesBeside(folder).keys()
  const stored = readFileSync(path)
  // Without a readable archive nothing tells that the target has it.
  rmSync(join(folder, name))
  await tomorrow()
  const { storage } = site.app.context().uploads
  expect((await bente().post('/api/backups', {})).status).toBe(202)
  const deleting = { ...storage, read: async () => undefined }
  expect(await runDueBackup({ ...site.app.context(), now, uploads: { storage: deleting } })).toBeDefined()
  expect(archivesIn(folder)).toHaveLength(1)
  expect(readFileSync(path).equals(stored)).toBe(true)
})

describe.each(databases)('staff change files of a site on %s while a backup is made', (database) => {
  test('a replaced file is restored with its earlier content, and a deleted one that was not yet read is left out', async () => {
    const { site, now, folder, bente, tomorrow, save } = await aSiteWithBackups(database)
    await save({})
    const { identity } = await site.app.context().backups.key()
    const list = await uploadFile(bente(), 'prijslijst.pdf', aPdf('Eerste'))
    const { storage } = site.app.context().uploads
    const replace = async (text: string) =>
      expect((await replaceContent(bente(), list.id, aPdf(text))).status).toBe(200)
    const restoredFrom = async (name: string) => {
      const { siteStorage, code } = await restored(join(folder, name), identity, { database })
      const { file = [] } = await rowsIn(siteStorage)
      return [code, file.length, Object.values(filesIn(siteStorage)).map((one) => Buffer.from(one, 'base64'))]
    }

    const read = async (key: string) => {
      const content = await storage.read(key)
      await replace('Tweede')
      return content
    }
    const whole = await backUpTo({ ...site.app.context(), uploads: { storage: { ...storage, read } } }, folder)
    expect(await restoredFrom(whole.name)).toEqual([0, 1, [Buffer.from(aPdf('Eerste'))]])

    const deleteBeforeReading = async (blobId: string) => {
      await bente().delete(`/api/files/${deleted.id}`)
      return storage.list(blobId)
    }
    const deleted = await uploadFile(bente(), 'voorwaarden.pdf', aPdf('Voorwaarden'))
    const deleting = { ...storage, list: deleteBeforeReading }
    const without = await backUpTo({ ...site.app.context(), uploads: { storage: deleting } }, folder)
    expect(await restoredFrom(without.name)).toEqual([0, 1, [Buffer.from(aPdf('Tweede'))]])

    // A blob without objects: it is asked for once for the files beside the archive, and again after the rows are read.
    await site.db.insertInto('stored_blob').values({ id: '0', state: 'committed', at: '', bytes: 0 }).execute()
    let asked = 0
    const replaceAfterRows = async (blobId: string) => {
      if (blobId === '0' && ++asked === 2) await replace('Derde')
      return storage.list(blobId)
    }
    await tomorrow()
    expect((await bente().post('/api/backups', {})).status).toBe(202)
    const replacing = { ...storage, list: replaceAfterRows }
    const beside = await runDueBackup({ ...site.app.context(), now, uploads: { storage: replacing } })
    expect([asked, filesBeside(folder).size]).toEqual([2, 1])
    expect(await restoredFrom(beside?.name ?? '')).toEqual([0, 1, [Buffer.from(aPdf('Tweede'))]])
  })

  test('users who are deleted or blocked during a backup are blocked when it is restored, whichever backup ends last', async () => {
    const { site, now, folder, bente } = await aSiteWithBackups(database)
    const { identity } = await site.app.context().backups.key()
    await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst'))
    const lena = await aUser(site, { name: 'Lena', email: 'lena@example.nl', roleId: 3 })
    const rik = { name: 'Rik', email: 'rik@example.nl' }
    const id = await aUser(site, { ...rik, roleId: 3 })
    const { storage } = site.app.context().uploads
    // After the rows are read.
    const read = async (key: string) => {
      expect((await bente().delete(`/api/users/${lena}`)).status).toBe(204)
      const blocked = { ...rik, user_role: { set: [3] }, blocked: true }
      expect((await bente().put(`/api/users/${id}`, blocked)).status).toBe(200)
      await backUpTo({ ...site.app.context(), now: () => new Date(now().getTime() + 60_000) }, folder)
      return storage.read(key)
    }
    const first = await backUpTo({ ...site.app.context(), uploads: { storage: { ...storage, read } } }, folder)
    const { out } = await restored(join(folder, first.name), identity, { database })
    expect(out).toContain('deleted since: lena@example.nl, rik@example.nl.')
  })

  test('restoring without a damaged photo leaves nothing of its resized images', async () => {
    const { site, folder, bente, save, backUp } = await aSiteWithBackups(database)
    await save({})
    const { identity } = await site.app.context().backups.key()
    await uploadFile(bente(), 'gevel.jpg', await aPhoto(64, 48))
    expect(await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)).toBe(true)
    const { name } = await backUp()
    const { blob_id } = await site.db.selectFrom('file').select('blob_id').executeTakeFirstOrThrow()
    const { blobFiles } = await checkBackup(join(folder, name), identity)
    rmSync(join(folder, blobFiles?.folder ?? '', blobFiles?.blobs[blob_id]?.name ?? ''))

    const { siteStorage, code } = await restored(join(folder, name), identity, { database, withoutDamaged: true })
    const { file, stored_blob: blobs } = await rowsIn(siteStorage)
    expect([code, file, blobs?.filter((row) => row.includes('committed'))]).toEqual([0, [], []])
  })
})

test('a page is restored out of a backup without its damaged file, and with its other files', async () => {
  const { site, folder, bente, save, backUp } = await aSiteWithBackups('sqlite')
  await save({})
  const { identity } = await site.app.context().backups.key()
  const files = [
    await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst')),
    await uploadFile(bente(), 'voorwaarden.pdf', aPdf('Voorwaarden')),
  ]
  const links = files.map(({ url }) => `<a href="${url}">Lijst</a>`).join(' ')
  const pageId = await publishedPage(bente(), { title: 'Werk', slug: 'werk', body: [aParagraph(links)] })
  const { name } = await backUp()
  const archive = join(folder, name)
  const { blob_id: blobId } = await site.db
    .selectFrom('file')
    .select('blob_id')
    .where('id', '=', files[1]?.id ?? 0)
    .executeTakeFirstOrThrow()
  const { blobFiles } = await checkBackup(archive, identity)
  if (!blobFiles) throw new Error('the files are not beside the archive')
  const damaged = join(folder, blobFiles.folder, blobFiles.blobs[blobId]?.name ?? '')
  truncateSync(damaged, statSync(damaged).size - 1)
  expect((await bente().post(`/api/pages/${pageId}/bin`)).status).toBeLessThan(300)
  for (const path of [`/api/pages/${pageId}`, ...files.map(({ id }) => `/api/files/${id}`)]) {
    expect([path, (await bente().delete(path)).status]).toEqual([path, 204])
  }
  const settings = { ...dataSettingsOf(site.settings), SITE_CONFIG: site.settings.siteConfig }
  const taken = await runCommandInProcess(settings, () => restoreOnePage(archive, '/werk'))
  expect(taken).toMatchObject({ code: 0, err: '', out: expect.stringContaining('addresses: prijslijst.pdf.\n') })
  expect(taken.out).toContain('Files that the backup lacks, or has damaged: voorwaarden.pdf.\n')
  const served = await Promise.all(files.map(({ url }) => site.request(url)))
  expect(served.map(({ status }) => status)).toEqual([200, 404])

  // The room for the files is asked for before one is read.
  const item = { name: `files/${blobId}/original`, bytes: Number.MAX_SAFE_INTEGER, hash: '' }
  const huge = { folder: blobFiles.folder, blobs: { [blobId]: { name: 'x', bytes: 1, items: [item] } } }
  const wanted = [{ blobId, type: 'application/pdf' }]
  const target = folderTarget(dirname(archive))
  const from = { path: archive, identity, target, blobFiles: huge, folder: aTempFolder() }
  await expect(extractBlobs(from, wanted)).rejects.toThrow(/there is no room .* Nothing was changed\./)
})

test('files that a backup target has but does not list yet are neither reported as lost nor removed', async () => {
  const { site, folder, bente, save, backUp } = await aSiteWithBackups('sqlite')
  await save({})
  await uploadFile(bente(), 'voorwaarden.pdf', aPdf('Voorwaarden'))
  const { name: hidden } = await backUp()
  const [needed = ''] = filesBeside(folder).keys()
  utimesSync(needed, 0, 0)
  const { data: files } = await (await bente().get('/api/files')).json()
  expect((await bente().delete(`/api/files/${files[0].id}`)).status).toBe(204)
  await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst'))
  const { name } = await backUp()
  const target = { ...folderTarget(folder), list: async () => [] }
  expect(await proveBackup(site.app.context(), { target, name, bytes: 0, hash: '' })).toMatchObject({
    outcome: 'proved',
  })
  const { identity } = await site.app.context().backups.key()
  const { blobFiles } = await checkBackup(join(folder, name), identity)
  if (!blobFiles) throw new Error('the files are not beside the archive')
  const notListing: BackupTarget = {
    ...target,
    list: async (one) => (await folderTarget(folder).list(one)).filter((file) => file.name !== hidden),
  }
  const at = { target: notListing, key: await findOrCreateSiteKey(site.app.context()) }
  const removeUnused = () =>
    removeUnusedBlobFiles(at, siteIdOf(site.app.context().secret), name, new Set([hidden, name]))
  await removeUnused()
  expect(existsSync(needed), 'an archive that this site wrote needs it').toBe(true)
  rmSync(join(folder, hidden))
  await removeUnused()
  expect(existsSync(needed), 'once that is gone').toBe(false)
  // Of what the run stored, and no more: another may have put anything there.
  const stored = { target, name, bytes: 1_000, hash: '' }
  expect(await proveBackup(site.app.context(), stored)).toMatchObject({
    outcome: 'failed',
    reason: { key: 'archiveGrown', archive: name, bytes: 1_000 },
  })
  let pulled = 0
  const endless = async function* () {
    for (;;) yield Buffer.alloc(100_000, pulled++)
  }
  const growing = { ...folderTarget(folder), read: async () => endless() }
  const listed = { ...stored, target: growing, bytes: 0 }
  expect(await proveBackup(site.app.context(), listed)).toMatchObject({
    outcome: 'failed',
    reason: { key: 'archiveGrown', archive: name },
  })
  expect(pulled).toBeLessThan(100)
  await requireBlobFiles({ target }, blobFiles)
  for (const path of filesBeside(folder).keys()) truncateSync(path, 10)
  await expect(requireBlobFiles({ target }, blobFiles)).rejects.toThrow(/lost files/)
})

test('a bucket gets each file once, and a copy of it in a folder is restored', async () => {
  const { site, bente, save, backUp, prove } = await aSiteWithBackups('sqlite')
  const { endpoint, region, bucket, credentials } = parseStorageUrl(await aBucket())
  await save({ kind: 's3', endpoint, region, bucket, prefix: 'nacht', ...credentials })
  const target = s3Target({ endpoint, region, bucket, prefix: 'nacht', ...credentials })
  closeAfterTest(() => target.close())
  const { identity } = await site.app.context().backups.key()
  await uploadFile(bente(), 'prijslijst.pdf', aPdf('Prijslijst'))
  await backUp()
  const copy = aTempFolder()
  /** As `aws s3 sync` does. */
  const download = async (folder: string) => {
    mkdirSync(join(copy, folder), { recursive: true })
    for (const { name } of await target.list(folder)) {
      const content = await target.read(folder === '' ? name : `${folder}/${name}`)
      writeFileSync(join(copy, folder, name), await buffer(content ?? Readable.from([])))
    }
  }
  await download('')
  const [archive = ''] = archivesIn(copy)
  const without = await restored(join(copy, archive), identity)
  expect(without).toMatchObject({ code: 1, err: expect.stringMatching(/damaged: 1 of 1 \(.*\.age is missing/) })
  const folder = /etalage-files-[0-9a-f]{32}/.exec(without.err)?.[0] ?? ''
  const once = await target.list(folder)
  expect(once).toHaveLength(1)

  await uploadFile(bente(), 'voorwaarden.pdf', aPdf('Voorwaarden'))
  const { name } = await backUp()
  const twice = await target.list(folder)
  expect(twice).toHaveLength(2)
  expect(twice, 'the first was not written again').toEqual(expect.arrayContaining(once))
  expect(await prove()).toMatchObject({ state: 'proved' })
  for (const one of ['', folder]) await download(one)
  const { code, siteStorage } = await restored(join(copy, name), identity)
  expect([code, filesIn(siteStorage)]).toEqual([0, filesIn(site.settings)])
})

test('a second restore is refused before it reads the backup', async () => {
  const siteStorage = await anEmptyDatabase('sqlite')
  await whileRestoring(siteStorage.dataDir, async () => {
    const second = await restored('nergens.tar.age', await generateX25519Identity(), { over: siteStorage })
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining('a site that a restore replaces') })
  })
})

test('a second restore of a site on PostgreSQL waits for the first, and keeps its erasures', async () => {
  const site = await aTestApp({ database: 'postgres', startJobs: false })
  await sendMessage(site, 'roya')
  const { archive, key } = await aBackupOf(site.settings)
  const { db, dialect, secret } = site.app.context()
  const source = { path: archive, identity: key.BACKUP_KEY ?? '', journal: undefined, moved: false }
  const backup = await checkBackup(archive, source.identity)
  const second = await db.transaction().execute(async (tx) => {
    await dialect.lock(tx, 'backups')
    const restoring = restoreBackup(
      {
        ...{ ...site.app.context(), storage: undefined, dataDir: site.settings.dataDir, secretIsSetting: true },
        temporaryFiles: createTemporaryFiles(aTempFolder()),
      },
      { ...source, backup },
    )
    // As the first does, by the journal beside its backup.
    await recordErasure(tx, secret, aMessageOf('roya').email, new Date('2999-01-01'))
    await waitUntil(async () => (await countLockWaits(site)) > 0, 'second restore that waits')
    return { restoring }
  })
  expect(await second.restoring).toMatchObject({ erasedPeople: 1 })
})

test.each(databases)(
  'a restore on %s that is not confirmed leaves the tables of the earlier version',
  async (database) => {
    const site = await aTestApp({ database, startJobs: false })
    await as(site, 'beheerder')
    const { archive } = await aBackupOf(site.settings)
    await sql`delete from kysely_migration where name = ${migrationNames.at(-1)}`.execute(site.db)
    await site.stop()
    const refused = await runCommandInProcess(dataSettingsOf(site.settings), () =>
      restoreCommand(archive, { yes: false, moved: false, check: false }),
    )
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/add --yes\.\nNothing was changed\.\n$/) })
    expect(await readMigrations(site.settings)).toEqual(migrationNames.slice(0, -1))
  },
)

test('a restore that cannot write the configuration file writes it into the data folder, and is done', async () => {
  const site = await aTestApp({ startJobs: false })
  const { archive, key } = await aBackupOf(site.settings)
  const siteStorage = await aCopyOfTemplate('migrated', 'sqlite')
  const settings = { ...dataSettingsOf(siteStorage), ...key, SITE_CONFIG: '/proc/site.config.json' }
  const done = await runCommandInProcess(settings, () =>
    restoreCommand(archive, { yes: true, moved: false, check: false }),
  )
  const path = join(siteStorage.dataDir, 'site.config.restored.json')
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining(path) })
  expect(readFileSync(path, 'utf8')).toBe(readFileSync('site.config.json', 'utf8'))
})
