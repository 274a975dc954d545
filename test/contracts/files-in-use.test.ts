import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { databases } from '../support/databases.ts'
import { aBrowserTab } from '../support/draft-tabs.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { aPhoto, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const gone = (path: string) => [{ path, message: 'Dit bestand is er niet meer. Kies een ander.' }]
const problems = async (answer: Response) => (await answer.json()).errors

/** Puts the image into the footer of the website. */
async function inFooter(who: SignedIn, src: string): Promise<() => Promise<Response>> {
  const { version, config }: Configuration = await (await who.get('/api/config')).json()
  const { branding } = structuredClone(config)
  branding.footer.bottom.nl?.push({ type: 'image', className: '', src, alt: 'De gevel' } as never)
  return () => who.put('/api/config', { version, config: { branding } })
}

describe.each(databases)('a file that is deleted while something that refers to it is saved, on %s,', (database) => {
  const aSite = async () => {
    // Without jobs nothing is resized; no test here needs it.
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    const aFile = async () => uploadFile(bente, 'merk.png', await aPhoto(8, 6, 'png'))
    return { site, bente, id, aFile }
  }

  test('either stays, or the page is refused at the field, never both', async () => {
    const { bente, id, aFile } = await aSite()
    for (let turn = 0; turn < 6; turn++) {
      const file = await aFile()
      const { text, version } = await getPageIn(bente, id)
      const calls = [
        () => bente.put(`/api/pages/${id}/nl`, { text: { ...text, picture: file.url }, version }),
        () => bente.delete(`/api/files/${file.id}`),
      ]
      const [first, last] = turn % 2 === 0 ? [0, 1] : [1, 0]
      const answers: Response[] = []
      await Promise.all([first, last].map(async (at) => (answers[at] = (await calls[at]?.()) as Response)))
      const [saved, deleted] = answers as [Response, Response]
      expect([
        [200, 409],
        [422, 204],
      ]).toContainEqual([saved.status, deleted.status])
      if (saved.status === 422) expect(await problems(saved)).toEqual(gone('text.picture'))
    }
  })

  test('a missing file is reported where the reference is new, not where it existed before or leads to another website', async () => {
    const { site, bente, id, aFile } = await aSite()
    const { url, id: fileId } = await aFile()
    expect((await bente.delete(`/api/files/${fileId}`)).status).toBe(204)
    const { text } = await getPageIn(bente, id)
    const body = [...text.body, { type: 'image', src: url, alt: '', className: '' }]
    expect(await problems(await savePageIn(bente, id, { body }))).toEqual(gone('text.body.1.src'))
    const { origin } = site.app.context()
    for (const own of [origin, origin.replace('https:', 'http:')]) {
      const link = `<p><a href="${own}${url}">Hier</a></p>`
      const refused = await savePageIn(bente, id, { body: [{ type: 'rich-text', content: link }] })
      expect([own, refused.status, await problems(refused)]).toEqual([own, 422, gone('text.body.0.content')])
    }
    const deeper = `<p><a href="https://elders.example/nl${url}">Elders</a></p>`
    expect((await savePageIn(bente, id, { body: [{ type: 'rich-text', content: deeper }] })).status).toBe(200)
    const elsewhere = `<p><a href="https://elders.example${url}">Elders</a></p>`
    expect((await savePageIn(bente, id, { body: [{ type: 'rich-text', content: elsewhere }] })).status).toBe(200)

    const other = await aFile()
    expect((await savePageIn(bente, id, { picture: other.url })).status).toBe(200)
    const { version } = await getPageIn(bente, id)
    expect((await savePageIn(bente, id, { picture: '' })).status).toBe(200)
    expect((await bente.delete(`/api/files/${other.id}`)).status).toBe(204)
    const then = site.db
      .selectFrom('page_revision')
      .select('id')
      .where('page_id', '=', id)
      .where('version', '=', version)
    const { id: revision } = await then.executeTakeFirstOrThrow()
    const at = `/api/pages/${id}/nl/revisions/${revision}/restore`
    expect((await bente.post(at, { version: version + 1 })).status).toBe(200)
    const again = await savePageIn(bente, id, { title: 'Werk van toen' })
    expect([again.status, (await again.json()).text.picture]).toEqual([200, other.url])
    const put = await inFooter(bente, other.url)
    expect((await problems(await put()))[0].path).toMatch(/^branding\.footer\.bottom\.nl\.\d+\.src$/)
  })

  // SQLite has one writer at a time.
  describe.runIf(database === 'postgres')('with two transactions at once', () => {
    test('a page that is being saved keeps the file', async () => {
      const { site, bente, id, aFile } = await aSite()
      const file = await aFile()
      const { text, version } = await getPageIn(bente, id)
      const calls: Promise<Response>[] = []
      await site.db.transaction().execute(async (tx) => {
        // The last row that a save writes.
        await tx.updateTable('page').set({ fixed: 0 }).where('id', '=', id).execute()
        calls.push(bente.put(`/api/pages/${id}/nl`, { text: { ...text, picture: file.url }, version }))
        await waitUntil(async () => (await countLockWaits(site)) === 1, 'a save that waits')
        calls.push(bente.delete(`/api/files/${file.id}`))
        await waitUntil(async () => (await countLockWaits(site)) === 2, 'a deletion that waits for the save')
      })
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 409])
    })

    test('a draft that is being saved keeps the file', async () => {
      const { site, bente, id, aFile } = await aSite()
      const file = await aFile()
      const { text } = await getPageIn(bente, id)
      const tab = aBrowserTab(bente, id)
      await tab.save(text)
      const calls: Promise<Response>[] = []
      await site.db.transaction().execute(async (tx) => {
        // The row that saving a draft writes after it has locked files.
        await tx.updateTable('page_draft').set({ title: '' }).where('page_id', '=', id).execute()
        calls.push(tab.send({ ...text, picture: file.url }))
        await waitUntil(async () => (await countLockWaits(site)) === 1, 'a draft that waits')
        calls.push(bente.delete(`/api/files/${file.id}`))
        await waitUntil(async () => (await countLockWaits(site)) === 2, 'a deletion that waits for the draft')
      })
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 409])
    })

    test.each(['a page', 'the website'])('after the file is deleted, %s cannot refer to it', async (what) => {
      const { site, bente, id, aFile } = await aSite()
      const file = await aFile()
      const { text, version } = await getPageIn(bente, id)
      const save =
        what === 'a page'
          ? () => bente.put(`/api/pages/${id}/nl`, { text: { ...text, picture: file.url }, version })
          : await inFooter(bente, file.url)
      const calls: Promise<Response>[] = []
      await site.db.transaction().execute(async (tx) => {
        await tx.updateTable('cache_invalidation_version').set({ id: 1 }).execute()
        calls.push(bente.delete(`/api/files/${file.id}`))
        await waitUntil(async () => (await countLockWaits(site)) === 1, 'a deletion that waits')
        calls.push(save())
        await waitUntil(async () => (await countLockWaits(site)) === 2, 'a save that waits for the deletion')
      })
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([204, 422])
    })
  })
})
