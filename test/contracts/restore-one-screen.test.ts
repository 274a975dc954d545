import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BackupSearchResult, Backups } from '../../src/contract/backups.ts'
import { backUpTo } from '../../src/domain/backup/run-backup.ts'
import { runDueProof } from '../../src/domain/backup/run-proof.ts'
import { writeArchive } from '../../src/platform/archive/archive.ts'
import { folderTarget } from '../../src/platform/archive/backup-target.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder, databases } from '../support/databases.ts'
import { sendMessage } from '../support/messages.ts'
import { aParagraph, getPageIn, publishedPage } from '../support/pages.ts'
import { aMessageOf } from '../support/people.ts'
import { aSmallDisk, canMount } from '../support/small-disk.ts'
import { as, password } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { aPdf, uploadFile } from '../support/uploads.ts'

const journalIn = (folder: string) =>
  join(folder, readdirSync(folder).find((name) => name.startsWith('etalage-journal-')) ?? '')

/** Turns the journal in a folder into a pipe: who reads it waits for its content. */
function aStalledJournal(folder: string) {
  const path = journalIn(folder)
  const content = readFileSync(path)
  rmSync(path)
  execFileSync('mkfifo', [path])
  return { path, content }
}

describe.each(databases)('on the screen Backups of a site on %s', (database) => {
  test('one message or page is found in an old backup and comes back, and one that may not come back is refused', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    const id = await sendMessage(site, 'roya')
    const erased = await sendMessage(site, 'sanne')
    await sendMessage(site, 'daan')
    const { naam: name, email } = aMessageOf('roya')
    const { reference } = await (await bente.get(`/api/messages/${id}`)).json()
    const list = await uploadFile(bente, 'prijslijst.pdf', aPdf('Prijslijst'))
    const body = [aParagraph(`<a href="${list.url}">Lijst</a>`)]
    const pageId = await publishedPage(bente, { title: 'Onze prijzen', slug: 'prijzen', body })
    const persianId = await publishedPage(bente, { title: 'دربارهٔ کارگاه', slug: 'درباره', locale: 'fa' })
    const folder = aTempFolder()
    await backUpTo(site.app.context(), folder)
    const { runs } = await (await bente.get('/api/backups')).json()
    const backup = `/api/backups/${runs[0].id}`
    const remove = async (path: string) => expect([path, (await bente.delete(path)).status]).toEqual([path, 204])
    await remove(`/api/messages/${id}`)
    const erasing = await bente.post('/api/privacy/erase', { email: 'sanne@bakkerij-hondt.example', password })
    expect(erasing.status).toBe(200)
    expect((await bente.post(`/api/pages/${pageId}/bin`)).status).toBeLessThan(300)
    for (const path of [`/api/pages/${pageId}`, `/api/files/${list.id}`]) await remove(path)
    await publishedPage(bente, { title: 'Andere prijzen', slug: 'prijzen' })
    const search = async (text: string): Promise<BackupSearchResult> => {
      const answer = await bente.post(`${backup}/search`, { text })
      expect(answer.status).toBe(200)
      return answer.json()
    }
    const arriving = () => readdirSync(join(site.settings.dataDir, 'arriving'))

    const found = await search('EXAMPLE')
    expect(found).toMatchObject({ problem: null, found: { pages: [], more: false } })
    expect(found.found?.messages, 'the newest first, without who was erased').toMatchObject([
      { name: 'Daan van der Meer', problem: 'present' },
      { reference, name, email, files: 0, replies: 0, problem: null },
    ])
    const pages = (await search('PRIJZEN onze')).found?.pages
    expect(pages).toEqual([
      {
        id: pageId,
        title: 'Onze prijzen',
        isPublished: true,
        paths: [{ locale: 'nl', from: '/prijzen', to: '/prijzen-2' }],
        files: ['prijslijst.pdf'],
      },
    ])
    expect(arriving(), 'the copy is removed').toEqual([])

    const take = async (what: 'messages' | 'pages', named: object) =>
      (await bente.post(`${backup}/${what}`, named)).json()
    const back = { reference, files: 0, replies: 0, missingFiles: [] }
    expect(await take('messages', { reference })).toEqual({ problem: null, detail: '', message: back })
    expect(await (await bente.get(`/api/messages/${reference}`)).json()).toMatchObject({ id, reference })
    const taken = await take('pages', { id: pageId })
    expect(taken).toMatchObject({
      problem: null,
      page: { paths: [{ to: '/prijzen-2' }], files: ['prijslijst.pdf'], missingFiles: [] },
    })
    expect(await getPageIn(bente, taken.page.id)).toMatchObject({ state: 'unpublished', text: { slug: 'prijzen-2' } })
    expect((await site.request(list.url)).status).toBe(200)
    expect(arriving()).toEqual([])
    const log = (await (await bente.get('/api/audit?pageSize=100')).json()).data
    const entries = log.filter(({ action }: { action: string }) => /^backup\.\w+_restored$/.test(action))
    expect(entries).toMatchObject([
      { action: 'backup.page_restored', actor: { id: bente.id } },
      { action: 'backup.message_restored', actor: { id: bente.id } },
    ])
    expect(log).toContainEqual(
      expect.objectContaining({ action: 'backup.searched', actor: expect.objectContaining({ id: bente.id }) }),
    )

    // Archives and requests are refused alike on every database.
    if (database === 'postgres') return

    const copied = `https://www.example.nl${encodeURI('/fa/درباره')}/?ref=mail`
    expect((await search(copied)).found?.pages, 'an address as a browser copies it').toMatchObject([{ id: persianId }])
    expect((await search(String(erased))).found?.messages).toMatchObject([{ name: '', email: '', problem: 'erased' }])
    expect(await take('messages', { reference: erased })).toMatchObject({ problem: 'erased', message: null })
    const rik = await as(site, 'redacteur')
    expect((await rik.post(`${backup}/search`, { text: 'roya' })).status, 'without every right').toBe(403)
    const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' }
    const forged = await bente.request(`${backup}/search`, { method: 'POST', headers, body: '{"text":"roya"}' })
    expect([forged.status, (await forged.json()).code]).toEqual([403, 'forged'])
    for (const id of ['99', '..%2F..%2Fetc%2Fpasswd', 'etalage.tar.age']) {
      expect((await bente.post(`/api/backups/${id}/search`, { text: 'roya' })).status, id).toBe(404)
    }
    await site.db.updateTable('session').set({ confirmed_at: '2026-01-01T00:00:00.000Z' }).execute()
    const unconfirmed = await bente.post(`${backup}/search`, { text: 'roya' })
    expect((await unconfirmed.json()).code).toBe('password_needed')
  })
})

describe.each(databases)('several instances of a site on %s', (database) => {
  test('read one backup at a time, the next one when that ends or its process was killed, and do not interrupt each other', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const other = await aTestApp({ beside: site, startJobs: false })
    const [bente, elsewhere] = [await as(site, 'beheerder'), await as(other, 'beheerder')]
    const folder = aTempFolder()
    const { name } = await backUpTo(site.app.context(), folder)
    await backUpTo(site.app.context(), aTempFolder())
    const { runs } = (await (await bente.get('/api/backups')).json()) as Backups
    const first = runs.find((run) => run.name === name)
    const second = runs.find((run) => run.name !== name)
    const search = async (browser: typeof bente, id: number | undefined) => {
      const answer = await browser.post(`/api/backups/${id}/search`, { text: 'roya' })
      return [answer.status, (await answer.json()).code]
    }
    const journal = aStalledJournal(folder)

    const reading = search(bente, first?.id)
    const pipe = await open(journal.path, 'w')
    for (const id of [first?.id, second?.id]) expect(await search(elsewhere, id)).toEqual([429, 'too_many'])
    // As a process leaves it that was killed a minute ago.
    const ended = new Date(0).toISOString()
    await site.db
      .updateTable('backup_run')
      .set({ reading_until: ended })
      .where('id', '=', first?.id ?? 0)
      .execute()
    expect(await search(elsewhere, second?.id)).toEqual([200, undefined])
    await pipe.writeFile(journal.content)
    await pipe.close()
    expect(await reading).toEqual([200, undefined])

    rmSync(journal.path)
    writeFileSync(journal.path, journal.content)
    expect(await search(elsewhere, first?.id)).toEqual([200, undefined])

    // The lease of one that still reads expires, and another instance begins.
    const late = aStalledJournal(folder)
    const readingLate = search(bente, first?.id)
    const latePipe = await open(late.path, 'w')
    await site.db.updateTable('backup_run').set({ reading_until: ended }).execute()
    rmSync(late.path)
    writeFileSync(late.path, late.content)
    const next = aStalledJournal(folder)
    const readingNext = search(elsewhere, first?.id)
    const nextPipe = await open(next.path, 'w')

    await latePipe.writeFile(late.content)
    await latePipe.close()
    expect(await readingLate).toEqual([200, undefined])
    expect(await search(bente, second?.id), 'the next one still reads').toEqual([429, 'too_many'])
    await nextPipe.writeFile(next.content)
    await nextPipe.close()
    expect(await readingNext).toEqual([200, undefined])
  })
})

test('an archive is no longer read after the client left, and the reason is reported when an archive cannot be used', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  const folder = aTempFolder()
  const { name } = await backUpTo(site.app.context(), folder)
  const archive = join(folder, name)
  const good = readFileSync(archive)
  const { runs } = await (await bente.get('/api/backups')).json()
  const path = `/api/backups/${runs[0].id}/search`
  const search = async () => (await bente.post(path, { text: 'roya' })).json()
  const arriving = join(site.settings.dataDir, 'arriving')

  const leaving = new AbortController()
  const left = bente.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"text":"roya"}',
    signal: leaving.signal,
  })
  leaving.abort()
  expect((await left).status).toBe(503)
  expect(existsSync(arriving) ? readdirSync(arriving) : []).toEqual([])

  const { recipient } = await site.app.context().backups.key()
  const problemOf = async (change: () => unknown, hash = '') => {
    await site.db.updateTable('backup_run').set({ hash }).execute()
    await change()
    const { problem, found } = await search()
    expect(found).toBeNull()
    return problem
  }
  const to = { target: folderTarget(folder), name }
  expect(await problemOf(() => renameSync(archive, `${archive}.weg`))).toBe('missing')
  expect(await problemOf(() => writeFileSync(archive, good.subarray(0, good.length / 2)))).toBe('damaged')
  expect(await problemOf(() => {}, 'f'.repeat(64)), 'another file than was stored').toBe('missing')
  expect(await problemOf(() => writeFileSync(archive, Buffer.concat([good, good]))), 'larger than was stored').toBe(
    'missing',
  )
  expect(
    await problemOf(() =>
      writeArchive(to, recipient, async (add) => void (await add('backup.json', [JSON.stringify({ format: 3 })]))),
    ),
  ).toBe('newer')
  const other = 'age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg'
  expect(await problemOf(() => writeArchive(to, other, async (add) => void (await add('x', ['y']))))).toBe('otherKey')
  writeFileSync(archive, good)
  const journal = journalIn(folder)
  const readable = readFileSync(journal)
  expect(await problemOf(() => writeFileSync(journal, 'a damaged journal')), 'the backup itself is good').toBe(
    'journal',
  )
  writeFileSync(journal, readable)
  await site.db.updateTable('backup_run').set({ target: 'https://s3.example/elders' }).execute()
  expect(await problemOf(() => {})).toBe('missing')
  await site.db.updateTable('backup_run').set({ target: archive }).execute()
  expect(await problemOf(() => {})).toBe('unreachable')
  expect(readdirSync(arriving)).toEqual([])
})

test.runIf(canMount)(
  'a disk that becomes full while a backup is copied is reported, and nothing of the copy is left',
  async () => {
    const site = await aTestApp({ startJobs: false })
    const bente = await as(site, 'beheerder')
    await backUpTo(site.app.context(), aTempFolder())
    const { runs } = await (await bente.get('/api/backups')).json()
    // Room for the archive four times, and not for the tables of a site.
    const arriving = aSmallDisk(join(site.settings.dataDir, 'arriving'), 5 * runs[0].bytes + 4_096)
    const answer = await bente.post(`/api/backups/${runs[0].id}/search`, { text: 'roya' })
    expect([answer.status, await answer.json()]).toMatchObject([200, { problem: 'noRoom', found: null }])
    expect(readdirSync(arriving)).toEqual([])
    allowErrors(/a backup was not proved/)
    // Nor does the proof say that the backup is at fault.
    expect((await bente.post('/api/backups/proofs', {})).status).toBe(202)
    await runDueProof(site.app.context())
    expect((await (await bente.get('/api/backups')).json()).proofs).toMatchObject([{ state: 'unknown' }])
  },
)

test.runIf(process.platform === 'linux')(
  'another error while a backup is copied is not reported as a lack of room',
  async () => {
    allowErrors(/disk I\/O error/)
    const site = await aTestApp({ database: 'postgres', startJobs: false })
    const bente = await as(site, 'beheerder')
    await backUpTo(site.app.context(), aTempFolder())
    const { runs } = await (await bente.get('/api/backups')).json()
    const limit = (bytes: number | string) =>
      execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`])
    closeAfterTest(() => void limit('unlimited'))
    const search = async () => (await bente.post(`/api/backups/${runs[0].id}/search`, { text: 'roya' })).status
    // Of each file: that of the copy gets larger than its archive, first by its tables and then by its rows.
    limit(3 * runs[0].bytes)
    expect(await search()).toBe(503)
    limit(2 * runs[0].bytes)
    expect(await search()).toBe(503)
    allowErrors(/a backup was not proved/)
    // Nor is the backup at fault.
    expect((await bente.post('/api/backups/proofs', {})).status).toBe(202)
    await runDueProof(site.app.context())
    expect((await (await bente.get('/api/backups')).json()).proofs).toMatchObject([{ state: 'unknown' }])
  },
)

test('a user who loses a right while the backup is read gets nothing of it', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  const folder = aTempFolder()
  await backUpTo(site.app.context(), folder)
  const { runs } = await (await bente.get('/api/backups')).json()
  // The search waits for the journal beside the archive.
  const journal = aStalledJournal(folder)
  const searching = bente.post(`/api/backups/${runs[0].id}/search`, { text: 'roya' })
  const pipe = await open(journal.path, 'w')
  await site.db.updateTable('user').set({ role_id: null }).where('id', '=', bente.id).execute()
  await pipe.writeFile(journal.content)
  await pipe.close()
  const answer = await searching
  expect([answer.status, (await answer.json()).code]).toEqual([403, 'not_allowed'])
  const searched = site.db.selectFrom('audit').select('id').where('action', '=', 'backup.searched').execute()
  expect(await searched).toEqual([])
})
