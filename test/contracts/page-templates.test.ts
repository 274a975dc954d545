import { expect, test } from 'vitest'
import { blocksWithSampleText } from '../../src/blocks/sample-texts.ts'
import { adminLocales, localizedPath } from '../../src/contract/locales.ts'
import { pageTemplates } from '../../src/contract/pages.ts'
import type { StoredBlock } from '../../src/contract/site-config.ts'
import { templateWords as en } from '../../src/i18n/en/page-templates.ts'
import { templateWords as fa } from '../../src/i18n/fa/page-templates.ts'
import { templateWords as nl } from '../../src/i18n/nl/page-templates.ts'
import { getPageIn } from '../support/pages.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

type ListBlock = StoredBlock & { items?: object[] }

/** A site in every language that has templates. */
const inEachLanguage = () =>
  aTestApp({
    site: (config) => {
      config.locales = [...adminLocales]
    },
  })

test('a page made of a template has its blocks and a description in that language, and can be published as it is; visitors do not see the empty gallery of ‘About us’', async () => {
  const site = await inEachLanguage()
  const bente = await as(site, 'beheerder')
  for (const locale of adminLocales) {
    for (const template of pageTemplates) {
      const made = await bente.post('/api/pages', { locale, title: `Pagina ${template}`, template })
      expect([template, made.status]).toEqual([template, 201])
      const { id } = await made.json()
      const { text } = await getPageIn(bente, id, locale)
      expect(text.title).toBe(`Pagina ${template}`)
      expect(text.description).toContain('[brand]')
      for (const { type, items = [] } of text.body as ListBlock[]) {
        const entries = items.map((item) => JSON.stringify(item))
        expect([template, type, new Set(entries).size]).toEqual([template, type, entries.length])
      }
      // Without another save: what was stored must be complete.
      expect((await bente.post(`/api/pages/${id}/${locale}/publish`, { version: 1 })).status).toBe(200)
      const html = await (await site.request(localizedPath(`/pagina-${template}`, locale, {}))).text()
      const heading = locale === 'fa' ? /[\u0600-\u06ff]{3}.*<\/h2>/ : /<h2[^>]*>[A-Z].*<\/h2>/
      expect(html).toMatch(heading)
      if (template !== 'about') continue
      expect(text.body[0]).toMatchObject({ type: 'hero', title: expect.stringContaining('[brand]') })
      expect(text.body).toContainEqual(expect.objectContaining({ type: 'gallery', items: [] }))
      expect(html.match(/<h1/g)).toHaveLength(1)
      expect(html).not.toContain('class="gallery"')
    }
  }
})

test('the texts of templates promise nothing: only the company knows what something costs, when it is ready and what it guarantees', () => {
  const promise =
    /kost|prijs|gratis|klaar|snel|altijd|garant|cost|price|free|ready|soon|guarant|رایگان|هزینه|قیمت|زود|آماده|هر وقت|تضمین/i
  for (const words of [nl, fa, en]) expect(JSON.stringify(words)).not.toMatch(promise)
})

test('texts of a template that only the company can know are sample texts, about which the editor warns as long as one of them is left', async () => {
  const bente = await as(await aTestApp(), 'beheerder')
  const samplesOf = async (template: string) => {
    const { id } = await (await bente.post('/api/pages', { locale: 'nl', title: 'Nieuw', template })).json()
    const { text } = await getPageIn(bente, id)
    const samples: ListBlock[] = blocksWithSampleText(text.body as StoredBlock[])
    for (const { items = [], ...block } of samples) {
      for (const item of items) {
        const withOneItem: ListBlock = { ...block, items: [item] }
        expect([item, blocksWithSampleText([withOneItem]).length]).toEqual([item, 1])
      }
    }
    return samples.map(({ type }) => type)
  }
  expect(await samplesOf('about')).toEqual(['text-image', 'figures', 'steps', 'team', 'testimonials'])
  expect(await samplesOf('service')).toEqual(['text-image', 'steps', 'faq', 'testimonials'])
  expect(await samplesOf('faq')).toEqual(['faq', 'faq'])
  expect(await samplesOf('landing')).toEqual(['text-image', 'figures', 'testimonials', 'faq'])
  expect(await samplesOf('contact')).toEqual([])
})

test('a template that does not exist, or in a language that the site lacks, is refused at its field, and no page is made', async () => {
  const bente = await as(await aTestApp(), 'beheerder')
  const count = async () => (await (await bente.get('/api/pages')).json()).meta.total
  const before = await count()
  for (const [field, page] of Object.entries({
    template: { locale: 'nl', template: 'shop' },
    locale: { locale: 'de', template: 'about' },
  })) {
    const answer = await bente.post('/api/pages', { title: 'Winkel', ...page })
    const { errors } = await answer.json()
    expect([answer.status, errors.map(({ path }: { path: string }) => path)]).toEqual([422, [field]])
  }
  expect(await count()).toBe(before)
})
