import { beforeAll, describe, expect, test } from 'vitest'
import type { PageInLocale } from '../../src/contract/pages.ts'
import { administratorRoleId, baseRoleId } from '../../src/contract/rights.ts'
import { databases } from '../support/databases.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { aRole } from '../support/roles.ts'
import { type SiteFile, writeSiteFile } from '../support/site-file.ts'
import { as, aUser, type SignedIn, withSession } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const person = async (site: TestApp, name: string, roleId: number | null) =>
  withSession(site, await aUser(site, { name, email: `${name.toLowerCase()}@example.nl`, roleId }))

const aButton = (id: string, title = 'Bel ons', url = '/contact') => ({
  type: 'cta',
  id,
  title: 'Een vraag?',
  text: '',
  button: { title, url },
})
const stored = [aParagraph('Een', { id: 'een' }), aButton('knop'), aParagraph('Drie', { id: 'drie' })]

const lock = (who: SignedIn, id: number, block: string | null, roles: number[]) =>
  who.put(`/api/pages/${id}/locks`, { block, roles })
const problemsOf = async (answer: Response) => {
  const { status } = answer
  const { errors = [], code } = await answer.json()
  return { status, code, at: errors.map(({ path }: { path: string }) => path) }
}
const titles = ({ text }: PageInLocale) => text.body.map(({ id }) => id)

/** Wietske may write pages. */
async function aSiteWithAWriter(database: (typeof databases)[number]) {
  const site = await aTestApp({ database })
  const roleId = await aRole(site, 'Schrijver', ['pages.write'])
  const [bente, wietske] = [await as(site, 'beheerder'), await person(site, 'Wietske', roleId)]
  return { site, roleId, bente, wietske }
}

describe.each(databases)('on %s', (database) => {
  let common: Awaited<ReturnType<typeof aSiteWithAWriter>>
  beforeAll(async () => {
    common = await aSiteWithAWriter(database)
  })

  /** On a site that tests have in common, a page of its own with three blocks is locked for the role of Wietske. */
  const aLockedPage = async (block: string | null = null) => {
    const { bente, roleId } = common
    const id = await publishedPage(bente, { title: 'Ons werk', body: stored })
    expect((await lock(bente, id, block, [roleId])).status).toBe(200)
    return { ...common, id }
  }

  test('a writer for whom a page is locked can change texts and images, and nothing else', async () => {
    const { bente, wietske, id } = await aLockedPage()
    const shown = await getPageIn(wietske, id)
    expect(shown).toMatchObject({ locks: [{ block: null, roles: [{ name: 'Schrijver' }], binds: true }] })
    expect(shown.can).toEqual({ change: true, publish: false, unpublish: false, delete: false, lock: false })
    expect((await getPageIn(bente, id)).can.lock).toBe(true)

    const [een, knop, drie] = stored
    const typed = [aParagraph('Een nieuw', { id: 'een' }), aButton('knop', 'Schrijf ons'), drie]
    expect((await savePageIn(wietske, id, { body: typed, title: 'Anders', description: 'Nieuw' })).status).toBe(200)

    const refused = async (values: object) => problemsOf(await savePageIn(wietske, id, values))
    const invalid = (...at: string[]) => ({ status: 422, code: 'invalid', at })
    const asIs = (await getPageIn(wietske, id)).text.body
    expect(await refused({ slug: 'elders' })).toEqual(invalid('text.slug'))
    expect(await refused({ noindex: true })).toEqual(invalid('text.noindex'))
    expect(await refused({ body: asIs.slice(0, 2) })).toEqual(invalid('text.body.1'))
    expect(await refused({ body: [...asIs, aParagraph('Vier')] })).toEqual(invalid('text.body.3'))
    expect(await refused({ body: [...asIs, { ...asIs[0] }] })).toEqual(invalid('text.body.3'))
    expect(await refused({ body: asIs.toReversed() })).toEqual(invalid('text.body.0'))
    expect(await refused({ body: [asIs[0], aButton('knop', 'Bel', '/boef'), asIs[2]] })).toEqual(
      invalid('text.body.1.button.url'),
    )
    expect(await refused({ body: [{ ...een, style: { background: 'dark' } }, asIs[1], asIs[2]] })).toEqual(
      invalid('text.body.0.style'),
    )
    expect(await refused({ body: [{ ...knop, id: 'een' }, asIs[1], asIs[2]] })).toEqual(invalid('text.body.0'))
    expect(
      await refused({ body: [aParagraph('<a href="https://boef.example/">x</a>', { id: 'een' }), asIs[1], asIs[2]] }),
    ).toEqual(invalid('text.body.0.content'))
    // Nothing was saved by any of it.
    expect((await getPageIn(wietske, id)).version).toBe(3)
    expect((await savePageIn(bente, id, { body: asIs.toReversed() })).status).toBe(200)
  })

  test('a refusal is in the language of the user, and the draft stays', async () => {
    const { wietske, id } = await aLockedPage()
    const { text, version } = await getPageIn(wietske, id)
    const draft = { ...text, body: [] }
    const saved = await wietske.put(`/api/pages/${id}/nl/draft`, { text: draft, baseVersion: version, revision: 0 })
    expect(saved.status).toBe(200)
    const answer = await wietske.request(`/api/pages/${id}/nl`, {
      method: 'PUT',
      headers: { 'Accept-Language': 'fa', 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: draft, version }),
    })
    const { errors } = await answer.json()
    expect(errors[0]).toMatchObject({ path: 'text.body.0', message: expect.stringContaining('قفل') })
    expect((await (await wietske.get(`/api/pages/${id}/nl/draft`)).json()).text.body).toEqual([])
  })

  test('a single locked block keeps its place and its settings, while the rest of the page can be changed', async () => {
    const { wietske, id } = await aLockedPage('knop')
    const [een, knop, drie] = (await getPageIn(wietske, id)).text.body
    const refused = async (body: unknown[]) => (await problemsOf(await savePageIn(wietske, id, { body }))).at
    expect(await refused([een, drie])).toEqual(['text.body.1'])
    expect(await refused([knop, een, drie])).toEqual(['text.body.0'])
    expect(await refused([een, aButton('knop', 'Bel', '/boef'), drie])).toEqual(['text.body.1.button.url'])
    const inColumn = { type: 'content', selector: 'p', content: '<p>Bel ons</p>', id: knop?.id }
    const columns = { type: 'columns', columns: [{ blocks: [inColumn] }, { blocks: [] }] }
    expect(await refused([een, columns, drie])).toEqual(['text.body.1'])
    // Nor does a nested block take the id away, so that the lock would match nothing.
    expect(await refused([een, columns, knop, drie])).toEqual(['text.body.1'])
    const free = [aParagraph('Nieuw'), aButton('knop', 'Schrijf ons'), { ...drie, style: { space: 'large' } }]
    expect((await savePageIn(wietske, id, { body: free, slug: 'elders' })).status).toBe(200)
  })

  test('a locked block with columns keeps its id when a block inside it has the same one', async () => {
    const { bente, wietske, roleId, id } = await aLockedPage('knop')
    const columns = (inner: string) => {
      const text = { type: 'content', selector: 'p', content: '<p>Links</p>', id: inner }
      return { type: 'columns', id: 'kolommen', columns: [{ blocks: [text] }, { blocks: [] }] }
    }
    expect((await savePageIn(bente, id, { body: [columns('links'), ...stored] })).status).toBe(200)
    expect((await lock(bente, id, 'kolommen', [roleId])).status).toBe(200)
    const taken = await savePageIn(wietske, id, { body: [columns('kolommen'), ...stored] })
    expect((await problemsOf(taken)).at).toEqual(['text.body.0'])
  })

  test('a locked block is compared with the text in another language where its own language lacks it', async () => {
    const { wietske, id } = await aLockedPage('knop')
    const [een, , drie] = (await getPageIn(wietske, id)).text.body
    const inPersian = (body: unknown[]) =>
      savePageIn(wietske, id, { title: 'کار ما', slug: 'karha', body }, { locale: 'fa' })
    expect((await inPersian([een, drie])).status).toBe(200)
    expect((await problemsOf(await inPersian([een, aButton('knop', 'تماس', '/boef'), drie]))).at).toEqual([
      'text.body.1.button.url',
    ])
    expect((await inPersian([een, aButton('knop', 'تماس'), drie])).status).toBe(200)
  })

  test('an older text, undo, a copy, the trash, another language and an imported file do not bypass a lock', async () => {
    const { site, bente, wietske, id } = await aLockedPage()
    const { text } = await getPageIn(bente, id)
    expect((await savePageIn(bente, id, { body: [...text.body, aParagraph('Vier', { id: 'vier' })] })).status).toBe(200)
    const now = await getPageIn(wietske, id)

    // An older text has one block less.
    const older = await site.db
      .selectFrom('page_revision')
      .select('id')
      .where('page_id', '=', id)
      .where('version', '=', 2)
      .executeTakeFirstOrThrow()
    const restored = await wietske.post(`/api/pages/${id}/nl/revisions/${older.id}/restore`, { version: now.version })
    expect((await problemsOf(restored)).at).toEqual(['text.body.2'])
    const undone = await wietske.post(`/api/pages/${id}/nl/undo`, { version: now.version, revision: older.id })
    expect((await problemsOf(undone)).at).toEqual(['text.body.2'])

    const copy = await (await wietske.post(`/api/pages/${id}/duplicate`)).json()
    expect(await getPageIn(wietske, copy.id)).toMatchObject({ locks: [{ block: null, binds: true }] })
    expect((await problemsOf(await savePageIn(wietske, copy.id, { body: [] }))).status).toBe(422)
    expect((await problemsOf(await wietske.post(`/api/pages/${copy.id}/bin`))).code).toBe('page_locked')

    // In the trash the lock stays; restoring keeps the texts, with another address when this one was taken.
    expect((await bente.post(`/api/pages/${copy.id}/bin`)).status).toBe(200)
    expect((await problemsOf(await wietske.delete(`/api/pages/${copy.id}`))).code).toBe('page_locked')
    await publishedPage(bente, { title: 'Bezet', slug: copy.nl.slug })
    expect((await wietske.post(`/api/pages/${copy.id}/restore`)).status).toBe(200)
    expect((await getPageIn(wietske, copy.id)).locks).toMatchObject([{ binds: true }])

    // The first Persian text has the blocks of the Dutch one.
    const persian = { ...now.text, title: 'کار ما', slug: 'kar-ma' }
    const inPersian = (body: unknown) =>
      wietske.put(`/api/pages/${id}/fa`, { text: { ...persian, body }, version: 0, publish: false })
    expect((await problemsOf(await inPersian([]))).at).toEqual(['text.body.0'])
    expect((await inPersian(now.text.body)).status).toBe(200)

    expect((await problemsOf(await lock(wietske, id, null, []))).code).toBe('not_allowed')
    expect((await lock(bente, id, null, [])).status).toBe(200)
    expect((await savePageIn(wietske, id, { body: [] })).status).toBe(200)
  })

  test('a publisher to whom one lock applies cannot change any lock of the page, nor publish a text that differs from the locked one', async () => {
    const site = await aTestApp({ database })
    const editors = await aRole(site, 'Redactie', ['pages.write', 'pages.publish', 'config.write'])
    const [bente, els] = [await as(site, 'beheerder'), await person(site, 'Els', editors)]
    const id = await publishedPage(bente, { title: 'Ons werk', body: stored })
    expect((await problemsOf(await lock(els, id, null, [editors]))).at).toEqual(['roles'])

    // Offered before the lock, with a block less than what was saved since.
    await savePageIn(els, id, { body: stored.slice(0, 2) })
    expect((await els.post(`/api/pages/${id}/nl/review`, { version: 3, note: '' })).status).toBe(200)
    await savePageIn(bente, id, { body: stored })
    expect((await lock(bente, id, 'knop', [editors])).status).toBe(200)
    expect((await lock(bente, id, null, [editors])).status).toBe(200)
    expect((await problemsOf(await els.post(`/api/pages/${id}/nl/review/publish`, { number: 1 }))).at).toEqual([
      'text.body.1',
    ])
    expect((await problemsOf(await lock(els, id, null, []))).code).toBe('page_locked')
    expect((await problemsOf(await lock(els, id, 'een', []))).code).toBe('page_locked')
    expect((await getPageIn(els, id)).can.lock).toBe(false)

    // Nor does undo put an older text live, whatever it names.
    const saved = await savePageIn(els, id, { title: 'Ons werk!' }, { publish: true })
    expect(saved.status).toBe(200)
    const { undo } = await saved.json()
    const { id: older } = await site.db
      .selectFrom('page_revision')
      .select('id')
      .where('page_id', '=', id)
      .where('version', '=', 3)
      .executeTakeFirstOrThrow()
    const live = { revision: older, date: '2026-01-01' }
    const crafted = await els.post(`/api/pages/${id}/nl/undo`, { ...undo, visitors: { live, planned: null } })
    expect((await problemsOf(crafted)).at).toEqual(['text.body.1'])
    expect((await els.post(`/api/pages/${id}/nl/undo`, undo)).status).toBe(200)
  })

  test('a publisher to whom a lock applies can publish texts, and cannot take the page off the site in any way', async () => {
    const site = await aTestApp({ database })
    const editors = await aRole(site, 'Redactie', ['pages.write', 'pages.publish'])
    const [bente, els] = [await as(site, 'beheerder'), await person(site, 'Els', editors)]
    const id = await publishedPage(bente, { title: 'Ons werk', body: stored })
    expect((await lock(bente, id, 'knop', [editors])).status).toBe(200)
    expect((await getPageIn(els, id)).can).toMatchObject({ publish: true, unpublish: false })
    expect((await getPageIn(bente, id)).can).toMatchObject({ publish: true, unpublish: true })

    const { version } = await getPageIn(els, id)
    const taken = await els.post(`/api/pages/${id}/nl/unpublish`, { version })
    expect((await problemsOf(taken)).code).toBe('page_locked')
    const schedule = (who: SignedIn, publishAt: string | null, unpublishAt: string | null) =>
      who.put(`/api/pages/${id}/nl/plan`, { version, publishAt, unpublishAt })
    const [soon, later] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString()) as [
      string,
      string,
    ]
    expect(await problemsOf(await schedule(els, null, later))).toEqual({
      status: 422,
      code: 'invalid',
      at: ['unpublishAt'],
    })
    expect((await schedule(els, soon, null)).status).toBe(200)
    expect((await schedule(bente, null, later)).status).toBe(200)
    expect((await problemsOf(await schedule(els, null, null))).at).toEqual(['unpublishAt'])
    expect((await schedule(els, soon, later)).status).toBe(200)

    const { undo } = await (await savePageIn(els, id, { title: 'Ons werk!' }, { publish: true })).json()
    const crafted = await els.post(`/api/pages/${id}/nl/undo`, { ...undo, visitors: { live: null, planned: null } })
    expect((await problemsOf(crafted)).code).toBe('page_locked')
    expect((await els.post(`/api/pages/${id}/nl/undo`, undo)).status).toBe(200)
    expect(await getPageIn(bente, id)).toMatchObject({ state: 'published', path: '/ons-werk' })

    // The first publication cannot be undone, so that is not offered.
    const persian = { title: 'کار ما', slug: 'kar-ma', body: stored }
    expect((await savePageIn(els, id, persian, { locale: 'fa' })).status).toBe(200)
    const first = await savePageIn(els, id, { title: 'کارهای ما' }, { locale: 'fa', publish: true })
    expect(await first.json()).toMatchObject({ state: 'published', undo: null })
  })

  test('an imported configuration file can change the texts of a locked page, and is refused at any other change of it', async () => {
    const site = await aTestApp({ database })
    const editors = await aRole(site, 'Redactie', ['pages.write', 'pages.publish', 'config.write'])
    const [bente, els] = [await as(site, 'beheerder'), await person(site, 'Els', editors)]
    const file = JSON.parse(await (await els.get('/api/config/export')).text())
    const index = file.pages.findIndex(({ slug }: { slug: string }) => slug === 'disclaimer')
    const { body } = file.pages[index].content.nl
    const { id } = await site.db
      .selectFrom('page_text')
      .select('page_id as id')
      .where('slug', '=', 'disclaimer')
      .where('locale', '=', 'nl')
      .executeTakeFirstOrThrow()
    expect((await lock(bente, id, null, [editors])).status).toBe(200)
    const saved = async () => (await getPageIn(bente, id)).text.body
    const ids = (await saved()).map((block) => block.id)
    expect((await lock(bente, id, String(ids[0]), [editors])).status).toBe(200)
    const { nl: dutch, ...others } = file.pages[index].content
    const sent = async (nl: unknown[], content: object = others) => {
      const { version } = await (await els.get('/api/config')).json()
      const pages = file.pages.with(index, {
        ...file.pages[index],
        content: { ...content, nl: { ...dutch, body: nl } },
      })
      return els.post('/api/config/import', { version, file: JSON.stringify({ ...file, pages }) })
    }
    const at = `pages.${index}.content.nl.body`
    const withoutIds = body.map(({ id: _, ...block }: { id?: string }) => block)
    expect((await problemsOf(await sent(body.slice(1)))).at[0]).toBe(`${at}.0`)
    expect((await problemsOf(await sent([...withoutIds, aParagraph('Erbij')]))).at).toEqual([`${at}.${body.length}`])
    // A file without ids keeps those of the page, and with them the locks of its blocks.
    expect((await sent([{ ...withoutIds[0], content: '<p>Nieuw</p>' }, ...withoutIds.slice(1)])).status).toBe(200)
    expect((await saved()).map((block) => block.id)).toEqual(ids)
    expect(JSON.stringify((await saved())[0])).toContain('Nieuw')

    // A language that the file leaves out stays on the site.
    expect((await problemsOf(await sent(await saved(), {}))).at).toEqual([`pages.${index}.content.fa`])
    expect((await getPageIn(bente, id, 'fa')).state).toBe('published')
  })

  test('an import does not bring a locked page back from the trash', async () => {
    const site = await aTestApp({ database })
    const editors = await aRole(site, 'Redactie', ['pages.write', 'pages.publish', 'config.write'])
    const [bente, els] = [await as(site, 'beheerder'), await person(site, 'Els', editors)]
    const file = JSON.parse(await (await els.get('/api/config/export')).text())
    const sample = file.pages.find(({ slug }: { slug: string }) => slug === 'disclaimer')
    const pages = [...file.pages, { ...sample, slug: 'ons-werk', content: { nl: sample.content.nl } }]
    const imported = async (who: SignedIn) => {
      const { version } = await (await who.get('/api/config')).json()
      return who.post('/api/config/import', { version, file: JSON.stringify({ ...file, pages }) })
    }
    const id = await publishedPage(bente, { title: 'Ons werk', body: sample.content.nl.body })
    expect((await imported(bente)).status).toBe(200)
    expect((await lock(bente, id, null, [editors])).status).toBe(200)
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect((await problemsOf(await imported(els))).at).toEqual([`pages.${pages.length - 1}`])
    expect((await getPageIn(bente, id)).deletedAt).not.toBeNull()
    expect((await imported(bente)).status).toBe(200)
    expect((await getPageIn(bente, id)).deletedAt).toBeNull()
  })

  test('a page is not locked for a role whose users could unlock it, and a lock does not apply to users with such a right', async () => {
    const site = await aTestApp({ database })
    const [bente, roleId] = [await as(site, 'beheerder'), await aRole(site, 'Redactie', ['pages.write'])]
    const els = await person(site, 'Els', roleId)
    const id = await publishedPage(bente, { title: 'Ons werk', body: stored })
    for (const right of ['roles.write', 'users.write'] as const) {
      const managers = await aRole(site, `Met ${right}`, ['pages.write', right])
      expect((await problemsOf(await lock(bente, id, null, [managers]))).at).toEqual(['roles'])
      const { roles } = await (await bente.get(`/api/pages/${id}/locks`)).json()
      const offered = roles.map((role: { id: number }) => role.id)
      expect(offered).toContain(roleId)
      expect(offered).not.toContain(managers)
    }
    expect((await lock(bente, id, null, [roleId])).status).toBe(200)
    expect((await getPageIn(els, id)).locks).toMatchObject([{ binds: true }])
    // The right may come by the role of everybody too.
    const free = async (role_id: number) => {
      const given = { role_id, right_name: 'users.write' }
      await site.db.insertInto('role_right').values(given).execute()
      const { locks } = await getPageIn(els, id)
      await site.db
        .deleteFrom('role_right')
        .where('role_id', '=', role_id)
        .where('right_name', '=', 'users.write')
        .execute()
      return !locks.some(({ binds }) => binds)
    }
    expect(await free(roleId)).toBe(true)
    expect(await free(baseRoleId)).toBe(true)
    expect((await getPageIn(els, id)).locks).toMatchObject([{ binds: true }])

    // A copy of that time has the lock too.
    const given = { role_id: roleId, right_name: 'users.write' }
    await site.db.insertInto('role_right').values(given).execute()
    const copy = await (await bente.post(`/api/pages/${id}/duplicate`)).json()
    await site.db
      .deleteFrom('role_right')
      .where('role_id', '=', roleId)
      .where('right_name', '=', 'users.write')
      .execute()
    expect((await getPageIn(els, copy.id)).locks).toMatchObject([{ binds: true }])
  })

  test('a lock stays with its block when a start or an import changes the page from a file without ids', async () => {
    const withWork = (body: object[]) => (config: SiteFile) => {
      const [, example] = config.pages
      const { slug: _, ...content } = example.content.nl
      config.pages.push({ ...example, slug: 'werk', content: { nl: { ...content, title: 'Ons werk', body } } })
    }
    const withoutId = (block: object) => ({ ...block, id: undefined })
    const [een, knop, drie] = stored.map(withoutId)
    const first = await aTestApp({ database, site: withWork([een, knop, drie] as object[]) })
    const roleId = await aRole(first, 'Schrijver', ['pages.write'])
    const { pageId: id } = await first.db
      .selectFrom('page_seed')
      .select('page_id as pageId')
      .where('slug', '=', 'werk')
      .$narrowType<{ pageId: number }>()
      .executeTakeFirstOrThrow()
    const bente = await as(first, 'beheerder')
    const before = (await getPageIn(bente, id)).text.body
    expect((await lock(bente, id, String(before[1]?.id), [roleId])).status).toBe(200)
    await first.stop()

    // At a start: the file has one block more above it, and another text in it.
    const typed = withoutId(aButton('knop', 'Schrijf ons'))
    const added = withoutId(aParagraph('Nieuw'))
    const siteConfig = writeSiteFile(first.settings.dataDir, withWork([added, een, typed, drie] as object[]))
    const next = await aTestApp({ database, beside: first, settings: { siteConfig } })
    const again = await as(next, 'beheerder')
    const wietske = await person(next, 'Wietske', roleId)
    const refused = async () => {
      const { text, locks } = await getPageIn(wietske, id)
      expect(locks).toMatchObject([{ block: before[1]?.id, binds: true }])
      const at = text.body.findIndex((block) => block.id === before[1]?.id)
      const moved = text.body.with(at, { ...text.body[at], button: { title: 'Bel', url: '/boef' } } as never)
      return (await problemsOf(await savePageIn(wietske, id, { body: moved }))).at
    }
    expect((await getPageIn(again, id)).text.body).toMatchObject([{}, { id: before[0]?.id }, { id: before[1]?.id }, {}])
    expect(await refused()).toEqual(['text.body.2.button.url'])

    // By an import, which puts it at the top.
    const { version } = await (await again.get('/api/config')).json()
    const file = JSON.parse(await (await again.get('/api/config/export')).text())
    file.pages.find(({ slug }: { slug: string }) => slug === 'werk').content.nl.body = [knop, drie]
    const imported = await again.post('/api/config/import', { version, file: JSON.stringify(file) })
    expect(imported.status).toBe(200)
    expect((await getPageIn(again, id)).text.body).toMatchObject([{ id: before[1]?.id }, { id: before[2]?.id }])
    expect(await refused()).toEqual(['text.body.0.button.url'])
  })

  test('a lock applies to a user if it applies to each role that lets the user write pages, and never to administrators', async () => {
    const { site, roleId, bente, wietske } = await aSiteWithAWriter(database)
    const id = await publishedPage(bente, { title: 'Ons werk', body: stored })
    expect((await problemsOf(await lock(bente, id, null, [administratorRoleId]))).at).toEqual(['roles'])
    expect((await problemsOf(await lock(bente, id, null, [999]))).at).toEqual(['roles'])
    expect((await problemsOf(await lock(bente, id, 'weg', [roleId]))).at).toEqual(['block'])

    expect((await lock(bente, id, null, [roleId])).status).toBe(200)
    const binds = async () => (await getPageIn(wietske, id)).locks.some((one) => one.binds)
    expect(await binds()).toBe(true)
    await site.db.insertInto('role_right').values({ role_id: baseRoleId, right_name: 'pages.write' }).execute()
    expect(await binds()).toBe(false)
    expect((await lock(bente, id, null, [roleId, baseRoleId])).status).toBe(200)
    expect(await binds()).toBe(true)
    expect((await getPageIn(bente, id)).locks).toMatchObject([{ binds: false }])

    // A role that is deleted takes its locks along; nobody has it then.
    const spare = await aRole(site, 'Stagiair', ['pages.write'])
    await lock(bente, id, 'knop', [spare])
    expect((await bente.delete(`/api/roles/${spare}`)).status).toBe(204)
    expect((await getPageIn(bente, id)).locks).toHaveLength(1)
    const { data } = await (await bente.get('/api/audit?action=page.locked')).json()
    expect(data[0]).toMatchObject({ after: { lockedFor: ['Stagiair'], lockedBlock: 'cta' } })
  })

  test('a block that somebody else moved meanwhile is not reported to a writer of a locked page', async () => {
    const { bente, wietske, id } = await aLockedPage()
    const { text, version } = await getPageIn(wietske, id)
    await savePageIn(bente, id, { body: text.body.toReversed() })
    const mine = [aParagraph('Getypt', { id: 'een' }), ...text.body.slice(1)]
    const answer = await savePageIn(wietske, id, { body: mine }, { version })
    expect(answer.status).toBe(200)
    expect(titles(await getPageIn(wietske, id))).toEqual(['drie', 'knop', 'een'])
  })

  test('a shared section on a locked page, or in a locked block, changes in texts and images only', async () => {
    const { bente, wietske, roleId } = common
    const inner = await (await bente.post('/api/sections', { name: 'Tijden', nl: [aButton('knop')] })).json()
    const outer = await (
      await bente.post('/api/sections', { name: 'Buiten', nl: [{ type: 'section', section: inner.id, id: 'in' }] })
    ).json()
    const made = await (await bente.post('/api/pages', { title: 'Over ons', locale: 'nl' })).json()
    const body = [{ type: 'section', section: outer.id, id: 'uit' }, aParagraph('Vrij', { id: 'vrij' })]
    expect((await savePageIn(bente, made.id, { body })).status).toBe(200)
    const change = (nl: unknown[], version?: number) =>
      wietske.put(`/api/sections/${inner.id}`, { name: 'Tijden', nl, ...(version && { version }) })
    const isLocked = async () => (await (await wietske.get(`/api/sections/${inner.id}`)).json()).locked

    await lock(bente, made.id, 'vrij', [roleId])
    expect(await isLocked()).toBe(false)
    expect((await change([aButton('knop'), aParagraph('Erbij', { id: 'erbij' })])).status).toBe(200)
    await lock(bente, made.id, 'uit', [roleId])
    expect(await isLocked()).toBe(true)
    expect((await problemsOf(await change([aButton('knop')]))).at).toEqual(['nl.0'])
    const { version: read, nl } = await (await wietske.get(`/api/sections/${inner.id}`)).json()
    const changed = { name: 'Tijden', nl, texts: { de: [aButton('knop')] }, version: read }
    const inGerman = await wietske.put(`/api/sections/${inner.id}`, changed)
    expect((await problemsOf(inGerman)).at).toEqual(['texts.de.0'])
    expect(
      (await problemsOf(await change([aButton('knop', 'Bel', '/boef'), aParagraph('Erbij', { id: 'erbij' })]))).at,
    ).toEqual(['nl.0.button.url'])
    expect((await change([aButton('knop', 'Schrijf ons'), aParagraph('Anders', { id: 'erbij' })])).status).toBe(200)
    // Nor is the reference replaced by a copy, or by another section.
    expect((await problemsOf(await savePageIn(wietske, made.id, { body: [aButton('knop'), body[1]] }))).at).toEqual([
      'text.body.0',
    ])
    const other = { type: 'section', section: inner.id, id: 'uit' }
    expect((await problemsOf(await savePageIn(wietske, made.id, { body: [other, body[1]] }))).at).toEqual([
      'text.body.0.section',
    ])
  })
})
