import { describe, expect, test } from 'vitest'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { touchContent } from '../../src/platform/content-clock.ts'
import { databases } from '../support/databases.ts'
import { waitingForLocks } from '../support/locks.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'
import { aDrawing, aPhoto, replace, settledFile, uploaded } from '../support/uploads.ts'

/** A page at /team with these pictures on it. */
async function withPictures(site: TestApp, blocks: { src: string; alt: string; className?: string }[]): Promise<void> {
  const config = structuredClone(site.app.context().site)
  const body = blocks.map((block) => ({ type: 'image', className: '', ...block }))
  const content = { title: 'Team', description: 'Wie wij zijn.', body }
  config.pages.push({ slug: 'team', updated: '2026-11-21', content: { nl: content, fa: content } } as never)
  await importConfiguration(site.app.context(), { text: JSON.stringify(config), note: 'test' })
  await expect.poll(async () => (await site.request('/team')).status).toBe(200)
}

const pictureOn = async (site: TestApp, path = '/team') =>
  /<span class="picture.*?<\/span>/s.exec(await (await site.request(path)).text())?.[0] ?? ''

const aRevisionWith = (site: TestApp, src: string) => {
  const config = structuredClone(site.app.context().site)
  config.branding.footer.bottom.nl.push({ type: 'image', className: '', src, alt: 'De gevel' } as never)
  return { config: JSON.stringify(config), note: 'test', created_at: new Date().toISOString() }
}

describe.each(databases)('on %s', (database) => {
  test('a page shows an upload with its widths, types, size and placeholder, and without shifting', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id } = await uploaded(rik, 'Ons team.jpg', await aPhoto(1400, 700))
    await rik.put(`/api/files/${id}`, { alt: { nl: 'Het team', fa: 'گروه ما' }, focal: { x: 22, y: 50 } })
    const { url } = await settledFile(rik, id)
    await withPictures(site, [{ src: url, alt: '', className: 'banner' }])

    const html = await pictureOn(site)
    expect(html).toMatch(/^<span class="picture fx2 banner">/)
    expect(html.match(/<source type="[^"]+" srcSet="[^"]+" sizes="[^"]+"\/>/gi)).toHaveLength(3)
    expect(html).toMatch(/320w, [^"]* 640w, [^"]* 960w, [^"]* 1280w, [^"]* 1400w/)
    expect(html).toMatch(/<img src="data:image\/webp;base64,[^"]+" alt="" class="blurred" width="1400" height="700"\/>/)
    expect(html).toMatch(/alt="Het team" width="1400" height="700" loading="lazy"/)
    expect(html).not.toContain('style=')
    expect(await pictureOn(site, '/fa/team')).toContain('alt="گروه ما"')
    for (const src of html.match(/\/files\/[^ "]+/g) ?? []) {
      const given = await site.request(src)
      await given.arrayBuffer()
      expect([src, given.status]).toEqual([src, 200])
    }
  })

  test('a page follows what becomes of the file: made, described, replaced', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id, url } = await uploaded(rik, 'gevel.jpg', await aPhoto(640, 480))
    await withPictures(site, [{ src: url, alt: '' }])
    await settledFile(rik, id)
    await expect.poll(() => pictureOn(site)).toContain('type="image/avif"')

    await rik.put(`/api/files/${id}`, { alt: { nl: 'De gevel', fa: '' } })
    await expect.poll(() => pictureOn(site)).toContain('alt="De gevel"')
    expect((await rik.delete(`/api/files/${id}`)).status).toBe(409)

    expect((await replace(rik, id, await aPhoto(300, 900, 'png'))).status).toBe(200)
    await expect.poll(() => pictureOn(site), { timeout: 60_000 }).toContain('width="300" height="900"')
    const shown = await pictureOn(site)
    expect(shown).toContain('type="image/png"')
    expect(shown).toContain('alt="De gevel"')
  })

  test('a file is not deleted that a revision shows of which this copy of the program has not heard', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id, url } = await uploaded(rik, 'gevel.jpg', await aPhoto(64, 48))
    await site.db.insertInto('config_revision').values(aRevisionWith(site, url)).execute()
    const answer = await rik.delete(`/api/files/${id}`)
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'file_in_use'])
    expect((await rik.get(`/api/files/${id}`)).status).toBe(200)
  })

  // On SQLite nobody else writes while a transaction does.
  test.runIf(database === 'postgres')('nor one that a page shows that is being saved at this moment', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id, url } = await uploaded(rik, 'gevel.jpg', await aPhoto(64, 48))
    await settledFile(rik, id)
    let deleted: Promise<Response> | undefined
    await site.db.transaction().execute(async (tx) => {
      await touchContent(tx, ['site'])
      await tx.insertInto('config_revision').values(aRevisionWith(site, url)).execute()
      deleted = rik.delete(`/api/files/${id}`)
      await until(async () => (await waitingForLocks(site)) > 0, 'deletion that waits')
    })
    expect((await deleted)?.status).toBe(409)
  })
})

test('what is not made yet keeps its place; a drawing is one file; a file that is gone is asked for by its address', async () => {
  const site = await aTestApp()
  const rik = await as(site, 'redacteur')
  const drawing = await uploaded(rik, 'merk.svg', aDrawing())
  const photo = await uploaded(rik, 'later.jpg', await aPhoto(640, 480))
  await settledFile(rik, photo.id)
  await site.db.updateTable('file').set({ pictures: null, state: 'failed' }).where('id', '=', photo.id).execute()
  const gone = `/files/${'0'.repeat(32)}/weg.jpg`
  await withPictures(site, [
    { src: photo.url, alt: 'Later' },
    { src: drawing.url, alt: 'Merk' },
    { src: gone, alt: 'Weg' },
  ])
  const html = await (await site.request('/team')).text()
  expect(html).toMatch(/<img src="data:image\/webp;base64,[^"]+" alt="Later" width="640" height="480" class="blurred"/)
  expect(html).toContain(`<img src="${drawing.url}" alt="Merk" width="40" height="20"`)
  expect(html).toContain(`<img src="${gone}" alt="Weg" loading="lazy"`)
})

test('words of an upload are words on the page, whatever they look like', async () => {
  const site = await aTestApp()
  const rik = await as(site, 'redacteur')
  const { id } = await uploaded(rik, '"><img src=x onerror=alert(1)>.jpg', await aPhoto(330, 220))
  await rik.put(`/api/files/${id}`, { alt: { nl: '"><script>alert(1)</script>', fa: '' } })
  const { url, name } = await settledFile(rik, id)
  expect(name).not.toMatch(/[<>"]/)
  await withPictures(site, [{ src: url, alt: '' }])
  const html = await pictureOn(site)
  expect(html).toContain('alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  expect(html).not.toMatch(/<script|<img src=x|onerror=alert\(1\)[^.%]*>/)
})
