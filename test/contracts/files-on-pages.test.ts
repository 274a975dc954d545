import { describe, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { invalidate } from '../../src/platform/cache-invalidation.ts'
import { databases } from '../support/databases.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { publishedPage, savePageIn } from '../support/pages.ts'
import { signInWithRights } from '../support/roles.ts'
import { changeEachText } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anSvg, aPhoto, replaceContent, uploadFile, waitUntilProcessed } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

/** A page at /team with these images on it. */
async function withPictures(site: TestApp, blocks: { src: string; alt: string; className?: string }[]): Promise<void> {
  const config = structuredClone(site.app.context().site)
  const body = blocks.map((block) => ({ type: 'image', className: '', ...block }))
  const content = { title: 'Team', description: 'Wie wij zijn.', body }
  config.pages.push({ slug: 'team', updated: '2026-11-21', content: { nl: content, fa: content } } as never)
  await importConfiguration(site.app.context(), { text: JSON.stringify(config), note: 'test' })
  await expect.poll(async () => (await site.request('/team')).status).toBe(200)
}

const imagesOn = async (site: TestApp, path = '/team') =>
  /<span class="image.*?<\/span>/s.exec(await (await site.request(path)).text())?.[0] ?? ''

const aRevisionWith = (site: TestApp, src: string) => {
  const config = structuredClone(site.app.context().site)
  config.branding.footer.bottom.nl?.push({ type: 'image', className: '', src, alt: 'De gevel' } as never)
  return { config: JSON.stringify(config), note: 'test', created_at: new Date().toISOString() }
}

test('a page shows an image with its widths, types, size and placeholder, without layout shift', async () => {
  const site = await aTestApp()
  const rik = await as(site, 'redacteur')
  const { id } = await uploadFile(rik, 'Ons team.jpg', await aPhoto(1400, 280))
  await rik.put(`/api/files/${id}`, { alt: { nl: 'Het team', fa: 'گروه ما' }, focal: { x: 22, y: 50 } })
  const { url } = await waitUntilProcessed(rik, id)
  await withPictures(site, [{ src: url, alt: '', className: 'banner' }])

  const html = await imagesOn(site)
  expect(html).toMatch(/^<span class="image fx2 banner">/)
  expect(html.match(/<source type="[^"]+" srcSet="[^"]+" sizes="[^"]+"\/>/gi)).toHaveLength(3)
  expect(html).toMatch(/320w, [^"]* 640w, [^"]* 960w, [^"]* 1280w, [^"]* 1400w/)
  expect(html).toMatch(/<img src="data:image\/webp;base64,[^"]+" alt="" class="blurred" width="1400" height="280"\/>/)
  expect(html).toMatch(/alt="Het team" width="1400" height="280" loading="lazy"/)
  expect(html).not.toContain('style=')
  expect(await imagesOn(site, '/fa/team')).toContain('alt="گروه ما"')
  for (const src of html.match(/\/files\/[^ "]+/g) ?? []) {
    const response = await site.request(src)
    await response.arrayBuffer()
    expect([src, response.status]).toEqual([src, 200])
  }
})

describe.each(databases)('on %s', (database) => {
  test('a page follows changes of the file: resized, described, replaced', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id, url } = await uploadFile(rik, 'gevel.jpg', await aPhoto(64, 48))
    await withPictures(site, [{ src: url, alt: '' }])
    await waitUntilProcessed(rik, id)
    await expect.poll(() => imagesOn(site)).toContain('type="image/avif"')

    await rik.put(`/api/files/${id}`, { alt: { nl: 'De gevel', fa: '' } })
    await expect.poll(() => imagesOn(site)).toContain('alt="De gevel"')
    expect((await rik.delete(`/api/files/${id}`)).status).toBe(409)

    expect((await replaceContent(rik, id, await aPhoto(30, 90, 'png'))).status).toBe(200)
    await expect.poll(() => imagesOn(site)).toContain('width="30" height="90"')
    const shown = await imagesOn(site)
    expect(shown).toContain('type="image/png"')
    expect(shown).toContain('alt="De gevel"')
  })

  test('a description that is published with an image on a page becomes that of the file, unless the file has one', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const gate = await uploadFile(bente, 'poort.svg', anSvg('<path d="M0 0h9"/>'))
    const bridge = await uploadFile(bente, 'brug.svg', anSvg('<path d="M0 0h8"/>'))
    await bente.put(`/api/files/${bridge.id}`, { alt: { nl: 'De brug', fa: '' } })
    const image = (src: string, alt: string) => ({ type: 'image', src, alt, className: '' })
    const body = [image(gate.url, 'De poort bij avond'), image(bridge.url, 'Een andere brug')]
    const id = await publishedPage(bente, { title: 'Stad', body })
    const altOf = async (file: StoredFile) =>
      ((await (await bente.get(`/api/files/${file.id}`)).json()) as StoredFile).alt
    expect([await altOf(gate), await altOf(bridge)]).toEqual([
      { nl: 'De poort bij avond', fa: '' },
      { nl: 'De brug', fa: '' },
    ])
    const others = [image(gate.url, 'Iets anders'), image(bridge.url, '')]
    await savePageIn(bente, id, { body: others }, { publish: true })
    expect(await altOf(gate)).toEqual({ nl: 'De poort bij avond', fa: '' })
  })

  test('a description in German also becomes that of the file, and is shown on German pages whose image has none', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { version } = await (await bente.get('/api/config')).json()
    await bente.put('/api/config', { version, config: { locales: ['nl', 'de'] } })
    const { id: fileId, url } = await uploadFile(bente, 'poort.svg', anSvg('<path d="M0 0h9"/>'))
    await bente.put(`/api/files/${fileId}`, { alt: { nl: 'De poort' } })
    const image = (alt: string) => ({ type: 'image', src: url, alt, className: '' })
    const stad = await publishedPage(bente, { title: 'Stad', body: [image('')] })
    const inGerman = (slug: string, alt: string) => ({ title: 'Stadt', slug, body: [image(alt)] })
    await savePageIn(bente, stad, inGerman('stadt', ''), { locale: 'de', publish: true })
    expect(await imagesOn(site, '/de/stadt')).toContain('alt="De poort"')

    const tor = await publishedPage(bente, { title: 'Poort', body: [image('')] })
    await savePageIn(bente, tor, inGerman('tor', 'Das Tor'), { locale: 'de', publish: true })
    const { alt } = (await (await bente.get(`/api/files/${fileId}`)).json()) as StoredFile
    expect(alt).toEqual({ nl: 'De poort', fa: '', de: 'Das Tor' })
    expect(await imagesOn(site, '/de/stadt')).toContain('alt="Das Tor"')
    expect(await imagesOn(site, '/stad')).toContain('alt="De poort"')
  })

  test('saving a page changes no file: publishing sets the description of its file, which is audited and shown on all live pages', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await signInWithRights(site, 'Rik', ['pages.write', 'pages.publish'])
    const { id: fileId, url, version } = await uploadFile(bente, 'poort.svg', anSvg('<path d="M0 0h9"/>'))
    const image = (alt: string) => ({ type: 'image', src: url, alt, className: '' })
    await publishedPage(bente, { title: 'Stad', body: [image('')] })
    const file = async (): Promise<StoredFile> => (await bente.get(`/api/files/${fileId}`)).json()
    const updates = () =>
      site.db
        .selectFrom('audit')
        .select(['actor_name', 'subject_name', 'before', 'after'])
        .where('action', '=', 'file.updated')
        .execute()
    const { id } = await (await rik.post('/api/pages', { title: 'Poort', locale: 'nl' })).json()
    await savePageIn(rik, id, { body: [image('De poort bij avond')] })
    expect(await file()).toMatchObject({ version, alt: { nl: '', fa: '' } })
    expect(await updates()).toEqual([])
    expect(await imagesOn(site, '/stad')).toContain('alt=""')

    expect((await rik.post(`/api/pages/${id}/nl/publish`, { version: 2 })).status).toBe(200)
    expect(await file()).toMatchObject({ alt: { nl: 'De poort bij avond', fa: '' } })
    expect(await updates()).toEqual([
      {
        actor_name: 'Rik',
        subject_name: 'poort.svg',
        before: JSON.stringify({ altNl: '' }),
        after: JSON.stringify({ altNl: 'De poort bij avond' }),
      },
    ])
    expect(await imagesOn(site, '/stad')).toContain('alt="De poort bij avond"')
  })

  test('a file cannot be deleted while a revision that another instance saved shows it', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id, url } = await uploadFile(rik, 'gevel.jpg', await aPhoto(64, 48))
    await site.db.insertInto('config_revision').values(aRevisionWith(site, url)).execute()
    const answer = await rik.delete(`/api/files/${id}`)
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'file_in_use'])
    expect((await rik.get(`/api/files/${id}`)).status).toBe(200)
  })

  // SQLite has one writer at a time.
  test.runIf(database === 'postgres')('a file on a page that is being saved cannot be deleted', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id, url } = await uploadFile(rik, 'gevel.jpg', await aPhoto(64, 48))
    await waitUntilProcessed(rik, id)
    let deleted: Promise<Response> | undefined
    await site.db.transaction().execute(async (tx) => {
      await invalidate(tx, ['site'])
      await tx.insertInto('config_revision').values(aRevisionWith(site, url)).execute()
      deleted = rik.delete(`/api/files/${id}`)
      await waitUntil(async () => (await countLockWaits(site)) > 0, 'deletion that waits')
    })
    expect((await deleted)?.status).toBe(409)
  })
})

test('a published description with a placeholder is not stored at its file, and one of an image with a link not at the linked image', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const gate = await uploadFile(bente, 'poort.svg', anSvg('<path d="M0 0h9"/>'))
  const plan = await uploadFile(bente, 'plattegrond.svg', anSvg('<path d="M0 0h8"/>'))
  const image = (alt: string, url?: string) => ({ type: 'image', src: gate.url, alt, className: '', url })
  const id = await publishedPage(bente, { title: 'Stad', body: [image('Kantoor van [brand]')] })
  const altOf = async (file: StoredFile) =>
    ((await (await bente.get(`/api/files/${file.id}`)).json()) as StoredFile).alt.nl
  expect(await altOf(gate)).toBe('')

  await savePageIn(bente, id, { body: [image('De gevel', plan.url)] }, { publish: true })
  expect([await altOf(gate), await altOf(plan)]).toEqual(['De gevel', ''])
})

test('on a site without Dutch, the description in the main language is shown where the file has none in the language of the page', async () => {
  const site = await aTestApp({
    site: (config) =>
      Object.assign(
        config,
        changeEachText(config, ({ nl }) => ({ de: nl })),
        { locales: ['de'] },
      ),
  })
  const bente = await as(site, 'beheerder')
  const { version } = await (await bente.get('/api/config')).json()
  await bente.put('/api/config', { version, config: { locales: ['de', 'en'] } })
  const { id, url } = await uploadFile(bente, 'tor.svg', anSvg('<path d="M0 0h9"/>'))
  await bente.put(`/api/files/${id}`, { alt: { de: 'Das Tor' } })
  const body = [{ type: 'image', src: url, alt: '', className: '' }]
  const page = await publishedPage(bente, { title: 'Stadt', locale: 'de', body })
  await savePageIn(bente, page, { title: 'Town', slug: 'town', body }, { locale: 'en', publish: true })
  expect(await imagesOn(site, '/en/town')).toContain('alt="Das Tor"')
})

test('an image that could not be resized is shown as its preview, an SVG as one file, and a deleted file keeps its URL', async () => {
  const site = await aTestApp()
  const rik = await as(site, 'redacteur')
  const svg = await uploadFile(rik, 'merk.svg', anSvg())
  const photo = await uploadFile(rik, 'later.jpg', await aPhoto(64, 48))
  await waitUntilProcessed(rik, photo.id)
  await site.db.updateTable('file').set({ resized_images: null, state: 'failed' }).where('id', '=', photo.id).execute()
  const gone = `/files/${'0'.repeat(32)}/weg.jpg`
  await withPictures(site, [
    { src: photo.url, alt: 'Later' },
    { src: svg.url, alt: 'Merk' },
    { src: gone, alt: 'Weg' },
  ])
  const html = await (await site.request('/team')).text()
  expect(html).toContain(`<img src="${photo.url}" alt="Later" width="64" height="48"`)
  const preview = await site.request(photo.url)
  expect([preview.status, preview.headers.get('content-type'), preview.headers.get('cache-control')]).toEqual([
    200,
    'image/webp',
    'public, max-age=0, must-revalidate',
  ])
  expect(html).toContain(`<img src="${svg.url}" alt="Merk" width="40" height="20"`)
  expect(html).toContain(`<img src="${gone}" alt="Weg" loading="lazy"`)
})

test('every data URL of a page holds only characters that a URL allows', async () => {
  const site = await aTestApp()
  const rik = await as(site, 'redacteur')
  const photo = await uploadFile(rik, 'gevel.jpg', await aPhoto(64, 48))
  await waitUntilProcessed(rik, photo.id)
  await withPictures(site, [{ src: photo.url, alt: 'Gevel' }])
  let found = 0
  for (const path of ['/', '/fa', '/team', '/bestaat-niet', '/login', '/disclaimer']) {
    const html = await (await site.request(path)).text()
    for (const [, url = ''] of html.matchAll(/(?:"|url\()(data:[^")]*)/g)) {
      found++
      expect([path, url.replace(/[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2}/gi, '')]).toEqual([path, ''])
    }
  }
  expect(found).toBeGreaterThan(5)
})

test('the description of a file is shown as text on the page', async () => {
  const site = await aTestApp()
  const rik = await as(site, 'redacteur')
  const { id } = await uploadFile(rik, '"><img src=x onerror=alert(1)>.jpg', await aPhoto(64, 48))
  await rik.put(`/api/files/${id}`, { alt: { nl: '"><script>alert(1)</script>', fa: '' } })
  const { url, name } = await waitUntilProcessed(rik, id)
  expect(name).not.toMatch(/[<>"]/)
  await withPictures(site, [{ src: url, alt: '' }])
  const html = await imagesOn(site)
  expect(html).toContain('alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  expect(html).not.toMatch(/<script|<img src=x|onerror=alert\(1\)[^.%]*>/)
})
