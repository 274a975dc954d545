import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { aParagraph, publishedPage, savePageIn } from '../support/pages.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

/** The benchmark measures the promised second; this test only fails when the change never shows. */
const often = { interval: 20 }

describe.each(databases)('on %s', (database) => {
  test('a published change reaches the pages and sitemap of every instance', async ({ annotate }) => {
    const site = await aTestApp({ database })
    const copies = [site, await aTestApp({ beside: site }), await aTestApp({ beside: site })]
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste')] })
    const shows = async (copy: TestApp, path: string, text: string) =>
      (await (await copy.request(path)).text()).includes(text)
    for (const copy of copies) await expect.poll(() => shows(copy, '/werk', 'Eerste'), often).toBe(true)

    for (const turn of ['Tweede', 'Derde', 'Vierde']) {
      const answer = await savePageIn(
        bente,
        id,
        { body: [aParagraph(turn)], slug: turn.toLowerCase() },
        { publish: true },
      )
      expect(answer.status).toBe(200)
      const from = performance.now()
      const seen = await Promise.all(
        copies.map(async (copy) => {
          await expect.poll(() => shows(copy, `/${turn.toLowerCase()}`, turn), often).toBe(true)
          await expect.poll(() => shows(copy, '/sitemap.xml', `/${turn.toLowerCase()}<`), often).toBe(true)
          return Math.round(performance.now() - from)
        }),
      )
      await annotate(`${database}, ${turn}: on every instance after ${seen.join(', ')} ms`)
    }
    expect((await site.request('/werk')).headers.get('location')).toBe('/vierde')
  })
})
