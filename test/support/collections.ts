import { expect } from 'vitest'
import { aParagraph, savePageIn } from './pages.ts'
import type { SiteFile } from './site-file.ts'
import type { SignedIn } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** The configuration of a collection with a field of most types. */
export const news = {
  id: 'nieuws',
  name: { nl: 'Nieuws', fa: 'خبرها' },
  slug: { nl: 'nieuws', fa: 'خبرها' },
  intro: { nl: 'Wat er speelt.' },
  order: 'newest',
  pageSize: 2,
  fields: [
    { id: 'samenvatting', name: { nl: 'Samenvatting' }, type: 'text', inList: true, inDetail: false },
    { id: 'datum', name: { nl: 'Datum', fa: 'تاریخ' }, type: 'date', inList: true, inDetail: true },
    { id: 'prijs', name: { nl: 'Prijs' }, type: 'price', inList: false, inDetail: true },
    { id: 'uitleg', name: { nl: 'Uitleg' }, type: 'richText', inList: false, inDetail: true },
    { id: 'meer', name: { nl: 'Lees ook' }, type: 'link', inList: false, inDetail: true },
    {
      id: 'soort',
      name: { nl: 'Soort' },
      type: 'choice',
      inList: false,
      inDetail: true,
      options: [
        { id: 'tip', name: { nl: 'Tips', fa: 'نکته‌ها' } },
        { id: 'werk', name: { nl: 'Ons werk' } },
      ],
    },
  ],
}

/** For the option `site` of `aTestApp`: `news` becomes the only collection. */
export const withNews = (config: SiteFile) => {
  config.collections = [news]
}

/** Fetches a document and removes its styles and the site's header and footer. */
export const fetchMainHtml = async (site: TestApp, path: string) =>
  (await (await site.request(encodeURI(path))).text()).replace(
    /<style>.*?<\/style>|<header>.*?<\/header>|<footer.*?<\/footer>/gs,
    '',
  )

/** Adds an entry to the collection `nieuws`, and publishes it unless `options.publish` is false. @returns its page id */
export async function anEntry(
  editor: SignedIn,
  title: string,
  fields: object,
  options: { locale?: 'nl' | 'fa'; publish?: boolean } = {},
): Promise<number> {
  const { locale = 'nl', publish = true } = options
  const created = await editor.post('/api/pages', { title, locale, collection: 'nieuws' })
  expect(created.status, await created.clone().text()).toBe(201)
  const { id } = await created.json()
  const saved = await savePageIn(editor, id, { fields, body: [aParagraph(`Over ${title}`)] }, { locale, publish })
  expect(saved.status, await saved.clone().text()).toBe(200)
  return id
}

/** Replaces the collections of the configuration. @returns the response */
export const changeCollections = async (editor: SignedIn, collections: unknown) => {
  const { version } = await (await editor.get('/api/config')).json()
  return editor.put('/api/config', { version, config: { collections } })
}
