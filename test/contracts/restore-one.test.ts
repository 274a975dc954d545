import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listBackup, restoreOneMessage, restoreOnePage } from '../../src/cli/restore-one.ts'
import { administratorRoleId } from '../../src/contract/rights.ts'
import { withOpenBackup } from '../../src/domain/backup/open-backup.ts'
import { restoreBackupMessage } from '../../src/domain/backup/restore-message.ts'
import { restoreBackupPage } from '../../src/domain/backup/restore-page.ts'
import { backUpTo } from '../../src/domain/backup/run-backup.ts'
import { writeArchive } from '../../src/platform/archive/archive.ts'
import { folderTarget } from '../../src/platform/archive/backup-target.ts'
import { dataSettingsOf } from '../support/backups.ts'
import { anEntry, news } from '../support/collections.ts'
import { aTempFolder, databases } from '../support/databases.ts'
import { quoteAnswers, quoteForm } from '../support/forms.ts'
import { sendMessage } from '../support/messages.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { runCommandInProcess } from '../support/run-command-in-process.ts'
import { as, aUser, password, signInWithPassword } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anSvg, aPdf, aPhoto, uploadFile, waitUntilProcessed } from '../support/uploads.ts'

/** Runs a command with the settings of a site. */
const commandsOf =
  ({ settings }: TestApp, more: Record<string, string> = {}) =>
  (command: () => Promise<number>) =>
    runCommandInProcess({ ...dataSettingsOf(settings), SITE_CONFIG: settings.siteConfig, ...more }, command)

describe.each(databases)('out of an old backup of a site on %s', (database) => {
  test('one message or one page comes back while the site serves, and nothing that is there changes', async () => {
    const site = await aTestApp({
      database,
      site(config) {
        const files = { id: 'bijlagen', kind: 'files', label: { nl: 'Bijlagen' } }
        config.forms = [{ ...quoteForm, fields: [...quoteForm.fields, files] }]
        config.collections = [news]
      },
    })
    const bente = await as(site, 'beheerder')
    const body = new FormData()
    for (const [name, value] of Object.entries(quoteAnswers)) for (const one of [value].flat()) body.append(name, one)
    body.append('bijlagen', new Blob([aPdf('Plattegrond') as BlobPart]), 'plattegrond.pdf')
    const headers = { Accept: 'application/json' }
    const sent = await site.request('/api/forms/offerte', { method: 'POST', headers, body })
    const { id: reference } = await sent.json()
    const inbox = async (number: number) => (await bente.get(`/api/messages/${number}`)).json()
    const message = await inbox(reference)
    expect(
      (await bente.post(`/api/messages/${reference}/reply`, { text: 'Dank u', version: message.version })).status,
    ).toBe(201)
    const before = await inbox(reference)
    const erased = await sendMessage(site, 'sanne')

    const photo = await waitUntilProcessed(bente, (await uploadFile(bente, 'atelier.jpg', await aPhoto(80, 60))).id)
    const list = await uploadFile(bente, 'prijslijst.pdf', aPdf('Prijslijst'))
    const pageId = await publishedPage(bente, {
      title: 'Werk',
      slug: 'werk',
      body: [aParagraph(`<a href="${photo.url}">Foto</a> en <a href="${list.url}">lijst</a>`)],
    })
    const inPersian = { title: 'کار', slug: 'کار', body: [aParagraph('نمونه‌ها')] }
    expect((await savePageIn(bente, pageId, inPersian, { locale: 'fa' })).status).toBe(200)
    await anEntry(bente, 'Nieuwe lamp', { samenvatting: 'Kort', datum: '2026-11-01' })
    // Its content does not count as an SVG any more.
    const old = await uploadFile(bente, 'oud.svg', anSvg('<circle r="3"/>'))
    const { blob_id: oldBlob } = await site.db
      .selectFrom('file')
      .select('blob_id')
      .where('id', '=', old.id)
      .executeTakeFirstOrThrow()
    const notAnSvg = join(aTempFolder(), 'oud.svg')
    writeFileSync(notAnSvg, aPdf('Oud'))
    await site.app.context().uploads.storage.put(`${oldBlob}/original`, notAnSvg, 'image/svg+xml')
    const oldBody = [aParagraph(`<a href="${old.url}">Oud</a>`)]
    const oldId = await publishedPage(bente, { title: 'Oud', slug: 'oud', body: oldBody })
    const page = await getPageIn(bente, pageId)
    // Stored by an older version, whose rules let scripts pass.
    const storedUnclean = async (name: string, inside: string, script = '<script>alert(1)</script>') => {
      const file = await uploadFile(bente, name, anSvg(`${inside}<path d="M0 0h1v1z"/>`))
      const unclean = join(aTempFolder(), name)
      writeFileSync(unclean, anSvg(`${script}${inside}`))
      const content_hash = createHash('sha256').update(readFileSync(unclean)).digest('hex')
      const { blob_id } = await site.db
        .updateTable('file')
        .set({ content_hash })
        .where('id', '=', file.id)
        .returning('blob_id')
        .executeTakeFirstOrThrow()
      await site.app.context().uploads.storage.put(`${blob_id}/original`, unclean, 'image/svg+xml')
      return file
    }
    const logo = await storedUnclean('merk.svg', '<rect width="10" height="10"/>')
    // Another way to write what is the same once it is cleaned.
    const copy = await storedUnclean('merk-kopie.svg', '<rect width="10" height="10"/>', '<script>alert(2)</script>')
    const sign = await storedUnclean('bord.svg', '<circle r="5"/>')
    const linked = [
      aParagraph(`<a href="${logo.url}">Merk</a>, <a href="${copy.url}">merk</a> en <a href="${sign.url}">bord</a>`),
    ]
    const brandId = await publishedPage(bente, { title: 'Merk', slug: 'merk', body: linked })

    const folder = aTempFolder()
    const archive = join(folder, (await backUpTo(site.app.context(), folder)).name)
    const run = commandsOf(site)

    // What was there is deleted, and another page has the address.
    const remove = async (path: string) => expect([path, (await bente.delete(path)).status]).toEqual([path, 204])
    await remove(`/api/messages/${reference}`)
    expect((await bente.post('/api/privacy/erase', { email: 'sanne@bakkerij-hondt.example', password })).status).toBe(
      200,
    )
    for (const one of [pageId, brandId, oldId]) {
      expect((await bente.post(`/api/pages/${one}/bin`)).status).toBeLessThan(300)
      await remove(`/api/pages/${one}`)
    }
    await remove(`/api/files/${old.id}`)
    await remove(`/api/files/${photo.id}`)
    await remove(`/api/files/${logo.id}`)
    await remove(`/api/files/${copy.id}`)
    await remove(`/api/files/${sign.id}`)
    // The same SVG, uploaded again: it is stored without the script.
    const signAgain = await uploadFile(bente, 'bord-nieuw.svg', anSvg('<script>alert(1)</script><circle r="5"/>'))
    await publishedPage(bente, { title: 'Ander werk', slug: 'werk' })
    const visible = async () => (await site.request('/werk')).text()
    const shown = await visible()
    const emails = async () => (await site.db.selectFrom('outbox').select('id').execute()).length
    const sentBefore = await emails()

    const listed = await run(() => listBackup(archive))
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toContain(`${reference}  `)
    expect(listed.out).toMatch(/^\/werk {2}Werk$/m)
    expect(listed.out).toMatch(/^\/fa\/کار {2}کار {2}\(not published\)$/m)
    expect(listed.out).toMatch(/^\/nieuws\/nieuwe-lamp {2}Nieuwe lamp$/m)
    expect(listed.out, 'who was erased').not.toContain('bakkerij-hondt')

    const STORAGE_URL = 's3://key:secret@127.0.0.1:1/uploads?protocol=http'
    const away = await commandsOf(site, { STORAGE_URL })(() => restoreOneMessage(archive, String(reference)))
    expect(away).toEqual({ code: 1, out: '', err: 'The storage of files does not answer. Nothing was changed.\n' })
    const back = await run(() => restoreOneMessage(archive, String(reference)))
    expect(back).toEqual({
      code: 0,
      out: `Message ${reference} is in the inbox again, with files: 1, replies: 1. No email was sent.\n`,
      err: '',
    })
    const after = await inbox(reference)
    const withoutIds = ({ files, replies, ...rest }: typeof before) => ({
      ...rest,
      files: files.map(({ id: _, ...file }: { id: number }) => file),
      replies: replies.map(({ text, by, at }: { text: string; by: unknown; at: string }) => ({ text, by, at })),
    })
    expect(withoutIds(after)).toEqual(withoutIds(before))
    const file = await bente.get(`/api/messages/${reference}/files/${after.files[0].id}`)
    expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.from(aPdf('Plattegrond')))).toBe(true)
    expect(await emails(), 'no email is sent again').toBe(sentBefore)
    const added = await run(() => restoreOnePage(archive, 'https://maaslicht.example/werk?x=1'))
    expect(added).toMatchObject({ code: 0, err: '' })
    expect(added.out).toContain('/werk-2, because /werk is taken\n/fa/کار\n')
    expect(added.out).toContain('Files that were gone and are served again at their old addresses: atelier.jpg.\n')
    const id = Number(/\/admin\/pages\/(\d+)\/nl/.exec(added.out)?.[1])
    const { text, state } = await getPageIn(bente, id)
    expect([text, state]).toEqual([{ ...page.text, slug: 'werk-2' }, 'unpublished'])
    expect((await getPageIn(bente, id, 'fa')).text).toMatchObject({ title: 'کار', slug: 'کار' })
    expect((await site.request('/werk-2')).status, 'nobody sees it before it is published').toBe(404)
    expect(await visible(), 'what is published stays').toBe(shown)
    const files = (await (await bente.get('/api/files')).json()).data
    const again = files.find(({ name }: { name: string }) => name === 'atelier.jpg')
    expect(again.url).toBe(photo.url)
    expect(await waitUntilProcessed(bente, again.id)).toMatchObject({ state: 'ready', width: 80 })
    expect((await savePageIn(bente, id, {}, { publish: true })).status).toBe(200)

    const ctx = site.app.context()
    const { identity, recipient } = await ctx.backups.key()
    await withOpenBackup(ctx, { path: archive, identity }, async (backup) => {
      for (const [number, why] of [
        [reference, /is in the site already\. Nothing was changed\./],
        [erased, /The sender of message \d+ was erased since, so it stays deleted\./],
        [999_999_999, /There is no message 999999999 in this backup\./],
      ] as const) {
        await expect(restoreBackupMessage(ctx, backup, number)).rejects.toThrow(why)
      }
      await expect(restoreBackupPage(ctx, backup, '/fa/niets')).rejects.toThrow(
        /no page \/fa\/niets .* in the language fa\./,
      )
      expect(await restoreBackupPage(ctx, backup, '/merk')).toMatchObject({ files: ['merk.svg'], missingFiles: [] })
      const ledToFirst = await site.request(copy.url)
      expect([ledToFirst.status, ledToFirst.headers.get('location')]).toEqual([302, logo.url])
      const signs = (await (await bente.get('/api/files?search=bord')).json()).data
      expect(signs, 'no second copy').toMatchObject([{ id: signAgain.id }])
      const redirect = await site.request(sign.url)
      expect([redirect.status, redirect.headers.get('location')]).toEqual([302, signAgain.url])
      const served = await (await site.request(logo.url)).text()
      expect(served).toContain('<rect')
      expect(served).not.toContain('script')
      const listedFiles = (await (await bente.get('/api/files?search=merk')).json()).data
      expect(listedFiles).toMatchObject([{ name: 'merk.svg', bytes: served.length }])
      const entry = await restoreBackupPage(ctx, backup, '/nieuws/nieuwe-lamp')
      expect(entry.paths).toEqual([{ locale: 'nl', from: '/nieuws/nieuwe-lamp', to: '/nieuws/nieuwe-lamp-2' }])
      expect((await getPageIn(bente, entry.id)).text.fields).toMatchObject({ samenvatting: 'Kort' })
      expect(await restoreBackupPage(ctx, backup, '/oud')).toMatchObject({ files: [], missingFiles: ['oud.svg'] })
      expect((await site.request(old.url)).status, 'no SVG is served that was not cleaned').toBe(404)
    })
    expect(await run(() => restoreOneMessage(archive, String(reference)))).toEqual({
      code: 1,
      out: '',
      err: `Message ${reference} is in the site already. Nothing was changed.\n`,
    })

    const log = await (await bente.get('/api/audit?pageSize=100')).json()
    const actions = log.data.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action.startsWith('backup.'))).toEqual([
      'backup.page_restored',
      'backup.page_restored',
      'backup.page_restored',
      'backup.page_restored',
      'backup.message_restored',
    ])

    // The archives themselves are refused alike on every database.
    if (database === 'postgres') return
    await writeArchive({ target: folderTarget(folder), name: 'newer' }, recipient, async (add) => {
      await add('backup.json', [JSON.stringify({ format: 3 })])
    })
    expect((await run(() => listBackup(join(folder, 'newer')))).err).toMatch(/made by a newer version/)
    const other = await aTestApp({ startJobs: false })
    await other.app.context().backups.key()
    expect((await commandsOf(other)(() => restoreOneMessage(archive, '1'))).err).toMatch(/made with another key/)
    expect(await commandsOf(other, { BACKUP_KEY: identity })(() => restoreOneMessage(archive, '1'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is a backup of another site, Maaslicht, or was made with another secret\. Nothing/),
    })
  })

  test('a reply and a file of a colleague who was erased since come back without the name', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const jan = { name: 'Jan de Vertrekker', email: 'jan@example.nl', roleId: administratorRoleId }
    const janId = await aUser(site, jan)
    const colleague = await signInWithPassword(site, jan.email)
    const id = await sendMessage(site, 'sanne')
    const { version } = await (await colleague.get(`/api/messages/${id}`)).json()
    expect((await colleague.post(`/api/messages/${id}/reply`, { text: 'Dank u', version })).status).toBe(201)
    const list = await uploadFile(colleague, 'prijslijst.pdf', aPdf('Prijslijst'))
    const body = [aParagraph(`<a href="${list.url}">Lijst</a>`)]
    const pageId = await publishedPage(bente, { title: 'Werk', slug: 'werk', body })
    const folder = aTempFolder()
    const archive = join(folder, (await backUpTo(site.app.context(), folder)).name)

    expect((await bente.post('/api/privacy/erase', { email: jan.email, password })).status).toBe(200)
    expect((await bente.delete(`/api/messages/${id}`)).status).toBe(204)
    expect((await bente.post(`/api/pages/${pageId}/bin`)).status).toBeLessThan(300)
    expect((await bente.delete(`/api/pages/${pageId}`)).status).toBe(204)
    expect((await bente.delete(`/api/files/${list.id}`)).status).toBe(204)

    const ctx = site.app.context()
    const { identity } = await ctx.backups.key()
    await withOpenBackup(ctx, { path: archive, identity }, async (backup) => {
      await restoreBackupMessage(ctx, backup, id)
      await restoreBackupPage(ctx, backup, '/werk')
    })
    const replies = await site.db.selectFrom('message_reply').select(['actor_id', 'actor_name']).execute()
    expect(replies).toEqual([{ actor_id: janId, actor_name: `#${janId}` }])
    const files = await site.db.selectFrom('file').select(['added_by_id', 'added_by']).execute()
    expect(files).toEqual([{ added_by_id: janId, added_by: `#${janId}` }])
  })
})

test('a message of the spam folder comes back out of an old backup into the inbox', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  const id = await sendMessage(site, 'sanne', { website: 'https://casino.example' })
  const folder = aTempFolder()
  const archive = join(folder, (await backUpTo(site.app.context(), folder)).name)
  expect((await bente.delete(`/api/messages/${id}`)).status).toBe(204)
  expect((await commandsOf(site)(() => restoreOneMessage(archive, String(id)))).code).toBe(0)
  const { data } = await (await bente.get('/api/messages?folder=inbox')).json()
  expect(data).toMatchObject([{ id }])
})
