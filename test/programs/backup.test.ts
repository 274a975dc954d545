import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Encrypter, generateX25519Identity } from 'age-encryption'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { printRecoverySheet, restore as restoreCommand, writeBackup } from '../../src/cli/backup.ts'
import { archiveLimits, checkBackup } from '../../src/domain/backup/check-backup.ts'
import { readJournalAt, writeJournalFile } from '../../src/domain/backup/journal.ts'
import { listSitemapEntries } from '../../src/domain/pages/find-live-page.ts'
import { writeArchive } from '../../src/platform/archive/archive.ts'
import { type BackupKey, createBackupKey, findBackupKey } from '../../src/platform/archive/backup-key.ts'
import { folderTarget } from '../../src/platform/archive/backup-target.ts'
import { UnusableArchive } from '../../src/platform/archive/unusable-archive.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { aBackupOf, archivesIn, dataSettingsOf, filesIn, rowsIn, type SiteStorage } from '../support/backups.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { anEmptyDatabase, aTempFolder, type DatabaseKind, databases } from '../support/databases.ts'
import { sendMessage } from '../support/messages.ts'
import { aParagraph, publishedPage, savePageIn } from '../support/pages.ts'
import { runCommand } from '../support/program.ts'
import { runCommandInProcess } from '../support/run-command-in-process.ts'
import { aBucket } from '../support/s3.ts'
import { cookieHeaderOf } from '../support/session-cookies.ts'
import { spawnNode } from '../support/spawn-program.ts'
import { as, aUser, json, password, type SignedIn, staff, withCookie } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { aSecondFactor } from '../support/two-factor.ts'
import { aPdf, aPhoto, uploadFile, waitUntilProcessed } from '../support/uploads.ts'
import { slowMs, waitUntil } from '../support/wait-until.ts'

/** A running site with messages. */
async function aSiteWithMessages(database: DatabaseKind): Promise<TestApp & { bente: SignedIn }> {
  const site = await aTestApp({ database })
  const bente = await as(site, 'beheerder')
  for (const name of ['roya', 'parisa', 'sanne'] as const) await sendMessage(site, name)
  await bente.delete(`/api/messages/${await sendMessage(site, 'daan')}`)
  return { ...site, bente }
}

/** The same with files and a page, at rest: emails are sent, images resized. */
async function aFilledSite(database: DatabaseKind): Promise<TestApp & { bente: SignedIn }> {
  const { bente, ...site } = await aSiteWithMessages(database)
  const photo = await uploadFile(bente, 'atelier.jpg', await aPhoto(80, 60))
  await waitUntilProcessed(bente, photo.id)
  await uploadFile(bente, 'prijslijst.pdf', aPdf('Prijslijst'))
  const { id } = await (await bente.post('/api/pages', { title: 'Ons werk', locale: 'nl' })).json()
  await savePageIn(bente, id, { title: 'Ons “werk” – ½ نیم‌فاصله' })
  await waitUntil(
    async () => (await site.db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()).length === 0,
    'end of the emails',
  )
  return { ...site, bente }
}

/** Where `writeArchive` puts a file. */
const at = (path: string) => ({ target: folderTarget(dirname(path)), name: basename(path) })

const reopened = (siteStorage: SiteStorage, more: object = {}) =>
  aTestApp({ beside: { settings: siteStorage } as TestApp, settings: more })

/** The command in this process. */
const restore = (siteStorage: SiteStorage, archive: string, more: Record<string, string>, ...flags: string[]) =>
  runCommandInProcess({ ...dataSettingsOf(siteStorage), ...more }, () =>
    restoreCommand(archive, {
      yes: flags.includes('--yes'),
      moved: flags.includes('--moved'),
      check: flags.includes('--check'),
    }),
  )

/** The built program as a process. */
const restoreByProgram = (
  siteStorage: SiteStorage,
  archive: string,
  more: Record<string, string>,
  ...flags: string[]
) => runCommand({ ...dataSettingsOf(siteStorage), ...more }, ['restore', archive, ...flags])

async function aWaitingEmail({ db }: TestApp): Promise<void> {
  const email = {
    message_id: '<wacht@example.nl>',
    template: 'contactMessage',
    locale: 'nl',
    data: '{}',
    recipient: 'info@example.nl',
    state: 'waiting',
    attempts: 0,
    next_attempt_at: '2999-01-01T00:00:00.000Z',
    created_at: new Date().toISOString(),
  } as const
  await db.insertInto('outbox').values(email).execute()
}

/** What a visitor gets of the photo, in base64. */
async function photoOn(site: TestApp): Promise<string> {
  const where = site.db.selectFrom('file').select('public_id').where('type', '=', 'image/jpeg')
  const answer = await site.request(`/files/${(await where.executeTakeFirstOrThrow()).public_id}/atelier.jpg`)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer()).toString('base64')
}

/** The HTML of every page of the sitemap, by path. */
async function pagesOf(site: TestApp): Promise<Record<string, string>> {
  const pages: Record<string, string> = {}
  for (const { path } of await listSitemapEntries(site.app.context(), { offset: 0, limit: 100 })) {
    // Not counted as a visit, so that it leaves no row.
    const answer = await site.request(encodeURI(path), { headers: { 'Sec-Purpose': 'prefetch' } })
    expect([path, answer.status]).toEqual([path, 200])
    pages[path] = await answer.text()
  }
  return pages
}

/** The next id of the table of messages. */
const nextMessageId = async (site: TestApp) => sendMessage(site, 'roya', { bericht: 'Nog een vraag' })

test('a site moves from SQLite to PostgreSQL with S3, and back, with every row, id and file', async () => {
  const site = await aFilledSite('sqlite')
  const factor = await aSecondFactor(site, site.bente.id)
  const lastMessage = await site.db
    .selectFrom('message')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  const pending = await sendMessage(site, 'daan', { bericht: 'Tijdens de back-up' })
  await site.bente.delete(`/api/messages/${pending}`)
  await aWaitingEmail(site)
  const link = await site.bente.post(
    `/api/users/${await aUser(site, { name: 'Rik', email: 'rik@example.nl' })}/password-link`,
    { by: 'show' },
  )
  expect(link.status).toBe(200)
  const photo = await photoOn(site)
  const { data: files } = await (await site.bente.get('/api/files')).json()
  const body = files.map(({ url, type }: { url: string; type: string }) =>
    type === 'image/jpeg'
      ? { type: 'image', src: url, alt: 'Ons atelier' }
      : aParagraph(`<a href="${url}">Prijzen</a>`),
  )
  await publishedPage(site.bente, { title: 'Voorbeelden', slug: 'voorbeelden', body })
  const pages = await pagesOf(site)
  const shown = [
    '/',
    '/fa',
    '/privacy-verklaring',
    '/fa/privacy-verklaring',
    '/voorbeelden',
    '/nieuws/geen-cookiemelding',
  ]
  expect(Object.keys(pages)).toEqual(expect.arrayContaining(shown))
  const backup = await aBackupOf(site.settings)
  expect(statSync(backup.archive).mode & 0o777, 'only its owner may read it').toBe(0o600)
  expect(readFileSync(backup.archive).includes('prijslijst')).toBe(false)
  await site.stop()
  const before = await rowsIn(site.settings)

  const postgres = await anEmptyDatabase('postgres')
  const inBucket = { STORAGE_URL: await aBucket() }
  const moved = await restoreByProgram(postgres, backup.archive, { ...backup.key, ...inBucket }, '--moved')
  expect(moved).toMatchObject({ code: 0, err: '' })
  expect(moved.out).toMatch(/A complete backup of Maaslicht, made at .* on sqlite\. Rows: \d+\. Files: \d+\./)
  expect(await rowsIn(postgres)).toEqual(before)

  const again = await aBackupOf(postgres, inBucket)
  expect(again.key, 'the key goes with the site').toEqual(backup.key)
  const sqlite = await anEmptyDatabase('sqlite')
  expect(await restore(sqlite, again.archive, again.key, '--moved')).toMatchObject({ code: 0, err: '' })
  const { backup_run: made, ...back } = await rowsIn(sqlite)
  // The second backup lists itself too.
  expect(made).toHaveLength(2)
  expect({ ...back, backup_run: before.backup_run }).toEqual(before)
  expect(filesIn(sqlite)).toEqual(filesIn(site.settings))

  for (const [siteStorage, settings] of [
    [postgres, { storageUrl: inBucket.STORAGE_URL }],
    [sqlite, {}],
  ] as const) {
    const there = await reopened(siteStorage, settings)
    expect(await pagesOf(there), 'each page, byte by byte').toEqual(pages)
    expect(await photoOn(there)).toBe(photo)
    const began = await there.request('/api/login', json('POST', { identifier: staff.beheerder.email, password }))
    const waiting = withCookie(there, cookieHeaderOf(began))
    const signedIn = await waiting.post('/api/login/code', { code: factor.recoveryCodes[0] })
    expect(signedIn.status, 'the second factor works with the secret of the backup').toBe(200)
    const bente = withCookie(there, cookieHeaderOf(signedIn))
    const found = await (await bente.get('/api/messages?search=karimi')).json()
    expect(found.meta.total, 'the search index is there').toBe(1)
    expect((await (await bente.get('/api/users')).json()).meta.total).toBe(2)
    expect(await nextMessageId(there), 'the id of a deleted message is not used again').toBe(pending + 1)
    expect(pending).toBeGreaterThan(lastMessage?.id ?? 0)
    await there.stop()
  }
})

describe.each(databases)('a site on %s', (database) => {
  test('that is restored from an older backup: what was erased, blocked, deleted or sent since stays so', async () => {
    const site = await aFilledSite(database)
    const { db, bente } = site
    const blocked = await aUser(site, { name: 'Rik', email: 'rik@example.nl', roleId: 3 })
    const deleted = await aUser(site, { name: 'Lena', email: 'lena@example.nl', roleId: 3 })
    const removed = await bente.delete(`/api/users/${await aUser(site, { name: 'Oud', email: 'oud@example.nl' })}`)
    expect(removed.status).toBe(204)
    await aWaitingEmail(site)
    const identity =
      database === 'postgres' ? 'integer generated always as identity' : 'integer primary key autoincrement'
    await sql.raw(`create table customer_of_another (number ${identity}, name text)`).execute(db)
    const addCustomer = () => sql`insert into customer_of_another (name) values ('Klant')`.execute(db)
    await addCustomer()
    const backup = await aBackupOf(site.settings)
    await addCustomer()

    expect((await bente.post('/api/privacy/erase', { email: 'sanne@bakkerij-hondt.example', password })).status).toBe(
      200,
    )
    const rik = { email: 'rik@example.nl', name: 'Rik', user_role: { set: [3] }, blocked: true }
    expect((await bente.put(`/api/users/${blocked}`, rik)).status).toBe(200)
    expect((await bente.delete(`/api/users/${deleted}`)).status).toBe(204)
    await db.updateTable('outbox').set({ state: 'sent' }).where('message_id', '=', '<wacht@example.nl>').execute()
    const last = await sendMessage(site, 'daan', { bericht: 'Na de back-up' })
    await uploadFile(bente, 'later.pdf', aPdf('Later'))
    const running = await restoreByProgram(site.settings, backup.archive, {}, '--yes')
    expect(running).toMatchObject({ code: 1, err: expect.stringContaining('stop every copy of the program') })
    await site.stop()
    const before = await rowsIn(site.settings)
    expect(await restore(site.settings, backup.archive, {})).toMatchObject({
      code: 1,
      err: expect.stringMatching(/To replace it, add --yes\.\nNothing was changed/),
    })
    expect(await rowsIn(site.settings)).toEqual(before)

    const restored = await restore(site.settings, backup.archive, {}, '--yes')
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(restored.out).toContain('Erased again, because they were erased since the backup: 1.')
    expect(restored.out).toContain(
      'Blocked, because they were blocked or deleted since: lena@example.nl, rik@example.nl.',
    )
    expect(restored.out).toContain('Emails that waited and may have been sent since: 1.')

    const now = await reopened(site.settings)
    const senders = await now.db.selectFrom('message').select('email').orderBy('id').execute()
    expect(senders.map(({ email }) => email)).toEqual(['roya@karimi.example', 'parisa@ahmadi.example'])
    expect(JSON.stringify(await rowsIn(site.settings))).not.toContain('bakkerij-hondt')
    for (const email of ['rik@example.nl', 'lena@example.nl']) {
      const answer = await now.request('/api/login', json('POST', { identifier: email, password }))
      expect([email, answer.status]).toEqual([email, 401])
    }
    expect(
      (await now.request('/api/login', json('POST', { identifier: staff.beheerder.email, password }))).status,
    ).toBe(200)
    expect(
      await now.db
        .selectFrom('outbox')
        .select(['state', 'last_error'])
        .where('message_id', '=', '<wacht@example.nl>')
        .execute(),
    ).toEqual([{ state: 'failed', last_error: expect.stringContaining('may have been sent since') }])
    expect(await nextMessageId(now)).toBe(last + 1)
    await sql`insert into customer_of_another (name) values ('Klant')`.execute(now.db)
    const customers = await sql`select number from customer_of_another order by number`.execute(now.db)
    expect(customers.rows, 'tables of other programs stay').toEqual([{ number: 1 }, { number: 2 }, { number: 3 }])
    const names = (await now.db.selectFrom('file').select('name').execute()).map(({ name }) => name)
    expect(names.sort()).toEqual(['atelier.jpg', 'prijslijst.pdf'])
    await now.stop()
  })

  test('that was lost is restored from an older backup: the journal beside the newest has what came after it', async () => {
    const site = await aSiteWithMessages(database)
    const older = await aBackupOf(site.settings)
    expect((await site.bente.post('/api/privacy/erase', { email: 'roya@karimi.example', password })).status).toBe(200)
    const last = await sendMessage(site, 'daan', { bericht: 'Na de back-up' })
    const { code } = await runCommandInProcess(dataSettingsOf(site.settings), () => writeBackup(older.folder))
    expect([code, archivesIn(older.folder)]).toEqual([0, [expect.any(String), expect.any(String)]])
    await site.stop()

    const siteStorage = await anEmptyDatabase(database)
    const name = readdirSync(older.folder).find((file) => file.startsWith('etalage-journal-')) ?? ''
    const journal = join(older.folder, name)
    const readable = readFileSync(journal)
    const { recipient } = await aKey()
    const otherKey = new Encrypter()
    otherKey.addRecipient(recipient)
    for (const unreadable of [readable.subarray(0, -1), await otherKey.encrypt('{}')]) {
      writeFileSync(journal, unreadable)
      expect(await restore(siteStorage, older.archive, older.key)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/is the journal of this site and cannot be read: .* move it away/),
      })
    }
    writeFileSync(journal, readable)
    const restored = await restore(siteStorage, older.archive, older.key)
    expect(restored.out).toMatch(/The journal beside it has who was erased, blocked or deleted until 2\d{3}-/)
    expect(restored.out).toContain('Erased again, because they were erased since the backup: 1.')
    expect(JSON.stringify(await rowsIn(siteStorage))).not.toContain('roya@karimi.example')
    const now = await reopened(siteStorage)
    expect(await nextMessageId(now)).toBe(last + 1)
    await now.stop()

    // What a journal has stays in the next one; one that cannot be read is set aside.
    const key = (await findBackupKey(siteStorage.dataDir, undefined)) as BackupKey
    const siteId = name.slice('etalage-journal-'.length, -'.age'.length)
    const at = '2999-01-01T00:00:00.000Z'
    const entries = [{ kind: 'erased' as const, subject: 'sanne', at }]
    await writeJournalFile(folderTarget(older.folder), key, { siteId, at, entries, blockedUsers: [], lastIds: {} })
    expect(await runCommandInProcess(dataSettingsOf(siteStorage), () => writeBackup(older.folder))).toMatchObject({
      code: 0,
      err: '',
    })
    const merged = await readJournalAt(folderTarget(older.folder), key.identity, siteId)
    expect(merged?.entries.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['sanne']))
    expect(merged?.entries).toHaveLength(2)
    writeFileSync(journal, 'damaged')
    const again = await runCommandInProcess(dataSettingsOf(siteStorage), () => writeBackup(older.folder))
    expect(again).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`${journal}.unreadable-`) })
    rmSync(journal)

    // A database that cannot be read is not replaced, with the advice to move it away; without it, the restore works.
    await makeUnreadable(siteStorage)
    const unread = await restore(siteStorage, older.archive, older.key, '--yes')
    expect(unread.code).toBe(1)
    expect(unread.err).toMatch(
      database === 'postgres'
        ? /DATABASE_URL: .* newer version .* which is empty/
        : /DATA_DIR: .* not a database.* move /,
    )
    const emptied = await anEmptyDatabase(database)
    if (database === 'sqlite') rmSync(join(siteStorage.dataDir, 'etalage.sqlite'))
    const without = await restore({ ...emptied, dataDir: siteStorage.dataDir }, older.archive, {})
    expect(without).toMatchObject({ code: 0, out: expect.stringContaining('No journal was applied') })
  })

  test('gets the current tables from a backup of an older version', async () => {
    const siteStorage = await anEmptyDatabase(database)
    const { BACKUP_KEY, recipient } = await aKey()
    const archive = join(aTempFolder(), 'older')
    const migrations = ['0001-first', '0002-people']
    const columns = [
      'id',
      'naam',
      'email',
      'tel',
      'bericht',
      'locale',
      'folder',
      'spam_reason',
      'privacy_version',
      'fingerprint',
      'address_key',
      'created_at',
    ]
    const roya = [
      7,
      'Roya',
      'roya@karimi.example',
      '043',
      'Een website',
      'nl',
      'inbox',
      null,
      'x',
      'f',
      'a',
      '2024-01-01T00:00:00.000Z',
    ]
    const header = {
      format: 1,
      madeAt: '2024-01-02T00:00:00.000Z',
      site: 'Maaslicht',
      siteId: 'x',
      database: 'sqlite',
      migrations,
      lastIds: { message: 41, gone: 7, content_clock: 9 },
    }
    await writeArchive(at(archive), recipient, async (add) => {
      const items = [
        await add('backup.json', [JSON.stringify(header)]),
        await add('tables/content_clock', ['["id","version"]\n[1,5]\n']),
        await add('tables/message', [`${JSON.stringify(columns)}\n${JSON.stringify(roya)}\n`]),
        await add('configuration/site.config.json', [readFileSync('site.config.json', 'utf8')]),
        await add('secret', ['s'.repeat(40)]),
      ]
      const manifest = { rows: { content_clock: 1, message: 1 }, items, deletedBlobs: [], missingBlobs: [] }
      await add('manifest.json', [JSON.stringify(manifest)])
    })

    const later = { siteId: 'x', at: '2024-01-03T00:00:00.000Z', entries: [], blockedUsers: [] }
    await writeJournalFile(
      folderTarget(dirname(archive)),
      { identity: BACKUP_KEY, recipient },
      {
        ...later,
        lastIds: { message: 52, gone: 8, page: 60 },
      },
    )

    expect(await restore(siteStorage, archive, { BACKUP_KEY })).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(siteStorage.dataDir, 'secret'), 'utf8')).toBe('s'.repeat(40))
    const now = await reopened(siteStorage)
    expect(await now.db.selectFrom('message').select(['id', 'naam', 'form_id', 'version']).execute()).toEqual([
      { id: 7, naam: 'Roya', form_id: 'contact', version: 1 },
    ])
    expect(await nextMessageId(now)).toBe(53)
    await now.stop()
  })

  test('that is killed during a restore is still the old site or the new one, and the next restore completes it', async () => {
    const site = await aFilledSite(database)
    const backup = await aBackupOf(site.settings)
    const atBackup = await rowsIn(site.settings)
    await sendMessage(site, 'daan', { bericht: 'Na de back-up' })
    await waitUntil(
      async () =>
        (await site.db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()).length === 0,
      'end of the emails',
    )
    await site.stop()
    const old = await rowsIn(site.settings)
    expect(old).not.toEqual(atBackup)
    const secretPath = join(site.settings.dataDir, 'secret')
    const secret = readFileSync(secretPath, 'utf8')
    const otherSecret = 'o'.repeat(64)
    writeFileSync(secretPath, otherSecret)
    const prepared = `${secretPath}.restoring`

    for (const afterMs of [0, 100, 300]) {
      const child = spawnNode(
        ['dist/server/cli.js', 'restore', backup.archive, '--yes'],
        dataSettingsOf(site.settings),
        ['ignore', 'pipe', 'ignore'],
      )
      const gone = once(child, 'close')
      await once(child.stdout as NodeJS.ReadableStream, 'data')
      await pause(afterMs)
      child.kill('SIGKILL')
      await gone
      // The next restore would wait for a minute because of it.
      rmSync(join(site.settings.dataDir, 'restoring'), { force: true })
      // PostgreSQL notices the end of a connection at its next use of it.
      await waitUntil(async () => isFree(site.settings), 'end of the connection')
      const found = await rowsIn(site.settings)
      expect([JSON.stringify(old), JSON.stringify(atBackup)]).toContain(JSON.stringify(found))
    }
    writeFileSync(secretPath, otherSecret)
    // What a restore leaves that is killed just before or after the commit.
    writeFileSync(prepared, secret)
    expect(await runCommandInProcess(dataSettingsOf(site.settings), () => writeBackup(aTempFolder()))).toMatchObject({
      code: 1,
      err: expect.stringContaining('found a restore that was cut off'),
    })
    expect(await restore(site.settings, backup.archive, {}, '--yes')).toMatchObject({ code: 0, err: '' })
    expect(await rowsIn(site.settings)).toEqual(atBackup)
    expect([readFileSync(secretPath, 'utf8'), existsSync(prepared)]).toEqual([secret, false])

    // A commit that fails leaves the site as it was, and its secret.
    writeFileSync(secretPath, otherSecret)
    expect(await restoreWithoutCommit(site.settings, backup.archive)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/violates unique constraint|disk/),
    })
    expect(await rowsIn(site.settings)).toEqual(atBackup)
    expect([readFileSync(secretPath, 'utf8'), existsSync(prepared)]).toEqual([otherSecret, false])
  })
})

test('a site that is killed during a backup leaves no file that looks like a backup', async () => {
  const site = await aTestApp()
  const folder = aTempFolder()
  const others = ['film.mkv.partial', 'etalage-folder.partial']
  writeFileSync(join(folder, 'film.mkv.partial'), 'of another program')
  mkdirSync(join(folder, 'etalage-folder.partial'))
  for (const afterMs of [0, 40, 120]) {
    const child = spawnNode(['dist/server/cli.js', 'backup', folder], dataSettingsOf(site.settings), 'ignore')
    const gone = once(child, 'close')
    await waitUntil(() => readdirSync(folder).length > others.length || child.exitCode !== null, 'begin of the backup')
    await pause(afterMs)
    child.kill('SIGKILL')
    await gone
  }
  for (const name of archivesIn(folder)) {
    expect((await restore(site.settings, join(folder, name), {}, '--check')).code, name).toBe(0)
  }
  writeFileSync(join(folder, 'etalage-2026-01-01T00-00-00.000Z.tar.age.partial'), 'cut off')
  const partials = () => readdirSync(folder).filter((name) => name.endsWith('.partial'))
  for (const name of partials()) utimesSync(join(folder, name), 0, 0)
  expect(await runCommandInProcess(dataSettingsOf(site.settings), () => writeBackup(folder))).toMatchObject({
    code: 0,
    err: '',
  })
  expect(partials().sort(), 'what others have there stays').toEqual(others.toSorted())
})

/** A new key of backups. */
async function aKey() {
  const dataDir = aTempFolder()
  await createBackupKey(dataDir)
  const { identity, recipient } = (await findBackupKey(dataDir, undefined)) as BackupKey
  return { BACKUP_KEY: identity, recipient }
}

/** A restore of which the commit fails: the disk is full, or a constraint is violated that is checked then. */
async function restoreWithoutCommit(siteStorage: SiteStorage, archive: string) {
  if (!siteStorage.databaseUrl) return runWithLimitedFiles(512, ['restore', archive, '--yes'], siteStorage)
  const { db } = await openDatabase(siteStorage)
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run('create table note (id integer unique deferrable initially deferred)')
  await run(
    'create function noted() returns event_trigger language plpgsql as $$ begin insert into note values (1); end $$',
  )
  await run("create event trigger noted on ddl_command_end when tag in ('CREATE INDEX') execute function noted()")
  await db.destroy()
  const { code, err } = await restore(siteStorage, archive, {}, '--yes')
  return { code, err }
}

/** Runs a command that may not make a file larger than this, in blocks of the shell: writing more fails as on a full disk. */
async function runWithLimitedFiles(blocks: number, args: string[], siteStorage: SiteStorage) {
  const child = spawn(
    '/bin/sh',
    ['-c', `ulimit -f ${blocks} && exec "$@"`, 'sh', process.execPath, 'dist/server/cli.js', ...args],
    { env: { PATH: process.env.PATH, ...dataSettingsOf(siteStorage) }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, err }
}

/** PostgreSQL's of a newer version, SQLite's damaged. */
async function makeUnreadable(siteStorage: SiteStorage): Promise<void> {
  if (!siteStorage.databaseUrl)
    return writeFileSync(join(siteStorage.dataDir, 'etalage.sqlite'), 'damaged'.repeat(1_000))
  const { db } = await openDatabase(siteStorage)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2999-01-01')`.execute(db)
  await db.destroy()
}

async function isFree(siteStorage: SiteStorage): Promise<boolean> {
  const { db, dialect } = await openDatabase(siteStorage)
  await db.destroy()
  return !(await dialect.isInUse())
}

test('a damaged or foreign archive is refused in one sentence, and nothing is changed', async () => {
  const site = await aTestApp()
  await as(site, 'beheerder')
  const { archive, folder } = await aBackupOf(site.settings)
  await site.stop()
  const before = await rowsIn(site.settings)
  const bytes = statSync(archive).size
  const changed = (name: string, change: (path: string) => void) => {
    const path = join(folder, name)
    copyFileSync(archive, path)
    change(path)
    return path
  }
  const flipped = (at: number) => (path: string) => {
    const content = readFileSync(path)
    content[at] = (content[at] ?? 0) ^ 1
    writeFileSync(path, content)
  }
  const { identity = '', recipient = '' } = (await findBackupKey(site.settings.dataDir, undefined)) ?? {}
  const newer = join(folder, 'newer')
  await writeArchive(at(newer), recipient, async (add) => {
    await add('backup.json', [
      JSON.stringify({
        format: 1,
        madeAt: new Date().toISOString(),
        site: 'Maaslicht',
        siteId: 'x',
        database: 'sqlite',
        migrations: ['9999-later'],
        lastIds: {},
      }),
    ])
  })
  const newFormat = join(folder, 'new-format')
  await writeArchive(at(newFormat), recipient, async (add) => {
    await add('backup.json', [JSON.stringify({ format: 3, other: true })])
  })
  const unfinished = join(folder, 'unfinished')
  await writeArchive(at(unfinished), recipient, async (add) => {
    await add('note', ['hello'])
  })
  const begins = JSON.stringify({
    ...{ format: 1, madeAt: new Date().toISOString(), site: 'Maaslicht', siteId: 'x' },
    ...{ database: 'sqlite', migrations: [], lastIds: {} },
  })
  const withItem = async (name: string, content: Iterable<string>) => {
    const path = join(folder, name.replaceAll('/', '-'))
    await writeArchive(at(path), recipient, async (add) => {
      await add('backup.json', [begins])
      await add(name, content)
    })
    return path
  }
  const letters = 'a'.repeat(2 ** 20)
  const asDelivered = { ...archiveLimits }
  expect(asDelivered).toEqual({ textBytes: 256 * 2 ** 20, lineBytes: 64 * 2 ** 20 })
  Object.assign(archiveLimits, { textBytes: 3 * 2 ** 20, lineBytes: 2 * 2 ** 20 })
  closeAfterTest(() => void Object.assign(archiveLimits, asDelivered))
  const longRow = await withItem('tables/user', Array(3).fill(letters))
  const halfRow = await withItem('tables/message', ['["id"]\n', '[1'])
  const longText = await withItem('manifest.json', Array(4).fill(letters))
  mkdirSync(join(folder, 'folder'))

  const unusable = [
    [changed('cut', (path) => truncateSync(path, Math.floor(bytes / 2))), /is cut off or was altered/],
    [changed('cut-at-a-chunk', (path) => truncateSync(path, bytes - 20)), /is cut off or was altered/],
    [changed('middle', flipped(Math.floor(bytes / 2))), /is cut off or was altered/],
    [changed('end', flipped(bytes - 1)), /is cut off or was altered/],
    [changed('begin', flipped(5)), /is no backup, or its beginning was altered/],
    [changed('text', (path) => writeFileSync(path, 'a letter')), /is no backup/],
    [changed('empty', (path) => writeFileSync(path, '')), /is no backup/],
    [join(folder, 'nowhere'), /cannot be read: ENOENT/],
    [join(folder, 'folder'), /cannot be read: EISDIR/],
    [newer, /was made by a newer version of this program/],
    [newFormat, /was made by a newer version of this program/],
    [unfinished, /is no backup of this program/],
    [longRow, /has a row that is far too large/],
    [halfRow, /has a row that is not complete/],
    [longText, /has an item that is far too large/],
  ] as const
  for (const [path, reason] of unusable) {
    const found = await checkBackup(path, identity).catch((error) => error)
    expect([path, found]).toEqual([path, expect.any(UnusableArchive)])
    expect(found.message).toMatch(reason)
  }
  // Each is refused by the same check; the command prints what it says.
  for (const [path, reason] of unusable.slice(0, 2)) {
    const { code, out, err } = await restore(site.settings, path, {}, '--yes')
    expect({ path, code, out }).toEqual({ path, code: 1, out: '' })
    expect(err.trim().split('\n')).toEqual([expect.stringMatching(reason)])
  }
  const otherKey = `AGE-SECRET-KEY-1${'Q'.repeat(58)}`
  expect((await restore(site.settings, archive, { BACKUP_KEY: otherKey })).err).toMatch(
    /BACKUP_KEY: found a key with a typing error/,
  )
  const { BACKUP_KEY } = await aKey()
  expect((await restore(site.settings, archive, { BACKUP_KEY }, '--yes')).err).toMatch(/was made with another key\n$/)
  expect(await rowsIn(site.settings)).toEqual(before)

  const sheet = await runCommand(dataSettingsOf(site.settings), ['recovery-sheet'])
  expect(sheet.out.replaceAll(' ', '')).toContain(identity)
  const another = { BACKUP_KEY: await generateX25519Identity() }
  const withAnother = (command: () => Promise<number>) =>
    runCommandInProcess({ ...dataSettingsOf(site.settings), ...another }, command)
  expect((await withAnother(() => printRecoverySheet({ replaceKey: false }))).err).toMatch(
    /does not have the key of the backups/,
  )
  expect((await withAnother(() => printRecoverySheet({ replaceKey: true }))).out.replaceAll(' ', '')).toContain(
    another.BACKUP_KEY,
  )
  expect((await withAnother(() => writeBackup(aTempFolder()))).code).toBe(0)
  expect((await runCommandInProcess(dataSettingsOf(site.settings), () => writeBackup(aTempFolder()))).err).toMatch(
    /set BACKUP_KEY/,
  )
  expect(await restore(await anEmptyDatabase('sqlite'), archive, {})).toMatchObject({
    code: 1,
    err: expect.stringContaining('BACKUP_KEY: found nothing, wanted the key of the recovery sheet'),
  })
})

test('a full disk, or a backup folder that is a file, is reported, and no file is left', async () => {
  const site = await aTestApp()
  const folder = aTempFolder()
  const { code, err } = await runWithLimitedFiles(64, ['backup', folder], site.settings)
  expect([code, err]).toEqual([1, expect.stringMatching(/cannot be written to: EFBIG.*\n$/)])
  expect(readdirSync(folder)).toEqual([])

  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const refused = await runCommandInProcess(dataSettingsOf(site.settings), () => writeBackup(file))
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/a-file cannot be written to: EEXIST.*\n$/) })
})

test('the command `prove` waits for the running program, and ends with what it found', async () => {
  allowErrors(/a backup was not proved/)
  const site = await aTestApp()
  await as(site, 'beheerder')
  const prove = async () => {
    const command = runCommand(dataSettingsOf(site.settings), ['prove'])
    let isRunning = true
    void command.finally(() => {
      isRunning = false
    })
    // Otherwise the program looks every five seconds.
    await waitUntil(
      () => {
        site.app.context().wake.backup()
        return !isRunning
      },
      'end of the command',
      slowMs,
    )
    return command
  }
  expect(await prove()).toEqual({ code: 1, out: '', err: 'There is no backup to prove. Make one first.\n' })
  const folder = join(site.settings.dataDir, 'kluis')
  const plan = { daily: 7, weekly: 5, monthly: 12, kind: 'folder', folder, time: '03:00', scheduled: false }
  const ofBucket = { endpoint: '', region: '', bucket: '', prefix: '', accessKeyId: '' }
  expect((await (await as(site, 'beheerder')).put('/api/backups/settings', { ...plan, ...ofBucket })).status).toBe(200)
  expect((await runCommandInProcess(dataSettingsOf(site.settings), () => writeBackup(folder))).code).toBe(0)
  const [name = ''] = archivesIn(folder)
  expect(await prove()).toEqual({
    code: 0,
    out: expect.stringMatching(
      new RegExp(
        `^Proved: ${name} was restored aside\\. Rows: \\d+\\. Files: 0\\. Pages that look the same: \\d+, .*\\n$`,
      ),
    ),
    err: '',
  })
  truncateSync(join(folder, name), 1_000)
  expect(await prove()).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Cannot be restored: etalage-.*\.tar\.age: .* is not the file that was stored/),
  })
})

// Not `resourceUsage`, which begins with the memory of the process that started it.
const printPeak = `import { readFileSync } from 'node:fs'
process.on('exit', () => console.error(readFileSync('/proc/self/status', 'utf8')))`

test('a large file needs no more memory than a small one', async () => {
  const site = await aTestApp()
  await site.stop()
  const peakOf = async (...args: string[]) => {
    const command = ['--import', `data:text/javascript,${encodeURIComponent(printPeak)}`, 'dist/server/cli.js', ...args]
    const child = spawnNode(command, dataSettingsOf(site.settings), ['ignore', 'ignore', 'pipe'])
    const [output, [code]] = await Promise.all([text(child.stderr as NodeJS.ReadableStream), once(child, 'close')])
    expect(code).toBe(0)
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(output) ?? []
    return Number(kilobytes) / 1_000
  }
  const peaksOf = async () => {
    const folder = aTempFolder()
    const writing = await peakOf('backup', folder)
    return { writing, reading: await peakOf('restore', join(folder, archivesIn(folder)[0] ?? ''), '--yes') }
  }
  const small = await peaksOf()

  const id = 'a-large-file'
  const megabytes = 160
  mkdirSync(join(site.settings.dataDir, 'files', id), { recursive: true })
  writeFileSync(join(site.settings.dataDir, 'files', id, 'original'), Buffer.alloc(megabytes * 1_000_000, 'etalage '))
  const { db } = await openDatabase(site.settings)
  const row = { id, state: 'committed', at: new Date().toISOString(), bytes: megabytes * 1_000_000 } as const
  await db.insertInto('stored_blob').values(row).execute()
  await db.destroy()
  const large = await peaksOf()

  // The peak varies by tens of megabytes with the moments of the garbage collector.
  expect(large.writing - small.writing).toBeLessThan(megabytes * 0.8)
  expect(large.reading - small.reading).toBeLessThan(megabytes * 0.8)
})
