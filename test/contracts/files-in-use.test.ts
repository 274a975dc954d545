import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { databases } from '../support/databases.ts'
import { waitingForLocks } from '../support/locks.ts'
import { pageIn, publishedPage, saved } from '../support/pages.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTab } from '../support/tabs.ts'
import { aTestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'
import { aDrawing, uploaded } from '../support/uploads.ts'

const gone = (path: string) => [{ path, message: 'Dit bestand is er niet meer. Kies een ander.' }]
const problems = async (answer: Response) => (await answer.json()).errors

/** Puts the picture into the footer of the website. */
async function inFooter(who: SignedIn, src: string): Promise<() => Promise<Response>> {
  const { version, config }: Configuration = await (await who.get('/api/config')).json()
  const { branding } = structuredClone(config)
  branding.footer.bottom.nl.push({ type: 'image', className: '', src, alt: 'De gevel' } as never)
  return () => who.put('/api/config', { version, config: { branding } })
}

describe.each(databases)('a file that is deleted while something that names it is saved, on %s,', (database) => {
  const aSite = async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    let drawn = 0
    const aFile = () => uploaded(bente, 'merk.svg', aDrawing(`<rect width="${++drawn}" height="9"/>`))
    return { site, bente, id, aFile }
  }

  test('stays, or the page is refused at the place: never both', async () => {
    const { bente, id, aFile } = await aSite()
    for (let turn = 0; turn < 6; turn++) {
      const file = await aFile()
      const { text, version } = await pageIn(bente, id)
      const calls = [
        () => bente.put(`/api/pages/${id}/nl`, { text: { ...text, picture: file.url }, version }),
        () => bente.delete(`/api/files/${file.id}`),
      ]
      const [first, last] = turn % 2 === 0 ? [0, 1] : [1, 0]
      const answers: Response[] = []
      await Promise.all([first, last].map(async (at) => (answers[at] = (await calls[at]?.()) as Response)))
      const [kept, deleted] = answers as [Response, Response]
      expect([
        [200, 409],
        [422, 204],
      ]).toContainEqual([kept.status, deleted.status])
      if (kept.status === 422) expect(await problems(kept)).toEqual(gone('text.picture'))
    }
  })

  test('is missed where it is named for the first time, and not where it stood before or on another website', async () => {
    const { site, bente, id, aFile } = await aSite()
    const { url, id: fileId } = await aFile()
    expect((await bente.delete(`/api/files/${fileId}`)).status).toBe(204)
    const { text } = await pageIn(bente, id)
    const body = [...text.body, { type: 'image', src: url, alt: '', className: '' }]
    expect(await problems(await saved(bente, id, { body }))).toEqual(gone('text.body.1.src'))
    const { origin } = site.app.context()
    for (const own of [origin, origin.replace('https:', 'http:')]) {
      const link = `<p><a href="${own}${url}">Hier</a></p>`
      const refused = await saved(bente, id, { body: [{ type: 'rich-text', content: link }] })
      expect([own, refused.status, await problems(refused)]).toEqual([own, 422, gone('text.body.0.content')])
    }
    const deeper = `<p><a href="https://elders.example/nl${url}">Elders</a></p>`
    expect((await saved(bente, id, { body: [{ type: 'rich-text', content: deeper }] })).status).toBe(200)
    const elsewhere = `<p><a href="https://elders.example${url}">Elders</a></p>`
    expect((await saved(bente, id, { body: [{ type: 'rich-text', content: elsewhere }] })).status).toBe(200)

    const other = await aFile()
    expect((await saved(bente, id, { picture: other.url })).status).toBe(200)
    const { version } = await pageIn(bente, id)
    expect((await saved(bente, id, { picture: '' })).status).toBe(200)
    expect((await bente.delete(`/api/files/${other.id}`)).status).toBe(204)
    const then = site.db
      .selectFrom('page_revision')
      .select('id')
      .where('page_id', '=', id)
      .where('version', '=', version)
    const { id: revision } = await then.executeTakeFirstOrThrow()
    const at = `/api/pages/${id}/nl/revisions/${revision}/restore`
    expect((await bente.post(at, { version: version + 1 })).status).toBe(200)
    const again = await saved(bente, id, { title: 'Werk van toen' })
    expect([again.status, (await again.json()).text.picture]).toEqual([200, other.url])
    const put = await inFooter(bente, other.url)
    expect((await problems(await put()))[0].path).toMatch(/^branding\.footer\.bottom\.nl\.\d+\.src$/)
  })

  // On SQLite nobody else writes while a transaction does.
  describe.runIf(database === 'postgres')('whoever is first', () => {
    test('a page that is being saved keeps it', async () => {
      const { site, bente, id, aFile } = await aSite()
      const file = await aFile()
      const { text, version } = await pageIn(bente, id)
      const calls: Promise<Response>[] = []
      await site.db.transaction().execute(async (tx) => {
        // What a save writes last.
        await tx.updateTable('page').set({ fixed: 0 }).where('id', '=', id).execute()
        calls.push(bente.put(`/api/pages/${id}/nl`, { text: { ...text, picture: file.url }, version }))
        await until(async () => (await waitingForLocks(site)) === 1, 'a save that waits')
        calls.push(bente.delete(`/api/files/${file.id}`))
        await until(async () => (await waitingForLocks(site)) === 2, 'a deletion that waits for the save')
      })
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 409])
    })

    test('a draft that is being kept keeps it', async () => {
      const { site, bente, id, aFile } = await aSite()
      const file = await aFile()
      const { text } = await pageIn(bente, id)
      const tab = aTab(bente, id, 'tabblad-1')
      await tab.told(text)
      const calls: Promise<Response>[] = []
      await site.db.transaction().execute(async (tx) => {
        // What keeping a draft writes last.
        await tx.updateTable('page_draft_tab').set({ number: 1 }).where('page_id', '=', id).execute()
        calls.push(tab.save({ ...text, picture: file.url }))
        await until(async () => (await waitingForLocks(site)) === 1, 'a draft that waits')
        calls.push(bente.delete(`/api/files/${file.id}`))
        await until(async () => (await waitingForLocks(site)) === 2, 'a deletion that waits for the draft')
      })
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 409])
    })

    test.each(['a page', 'the website'])('once it is gone %s does not come to name it', async (what) => {
      const { site, bente, id, aFile } = await aSite()
      const file = await aFile()
      const { text, version } = await pageIn(bente, id)
      const save =
        what === 'a page'
          ? () => bente.put(`/api/pages/${id}/nl`, { text: { ...text, picture: file.url }, version })
          : await inFooter(bente, file.url)
      const calls: Promise<Response>[] = []
      await site.db.transaction().execute(async (tx) => {
        await tx.updateTable('content_clock').set({ id: 1 }).execute()
        calls.push(bente.delete(`/api/files/${file.id}`))
        await until(async () => (await waitingForLocks(site)) === 1, 'a deletion that waits')
        calls.push(save())
        await until(async () => (await waitingForLocks(site)) === 2, 'a save that waits for the deletion')
      })
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([204, 422])
    })
  })
})
