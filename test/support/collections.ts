import { expect } from 'vitest'
import { aParagraph, savePageIn } from './pages.ts'
import type { SiteFile } from './site-file.ts'
import type { SignedIn } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** A collection with a field of most types. */
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

export const withNews = (config: SiteFile) => {
  config.collections = [news]
}
/** The document without its styles and the site's header and footer. */
export const html = async (site: TestApp, path: string) =>
  (await (await site.request(encodeURI(path))).text()).replace(
    /<style>.*?<\/style>|<header>.*?<\/header>|<footer.*?<\/footer>/gs,
    '',
  )

/** Adds an entry of `nieuws`. @returns its id */
export async function anEntry(
  who: SignedIn,
  title: string,
  fields: object,
  more: { locale?: 'nl' | 'fa'; publish?: boolean } = {},
): Promise<number> {
  const { locale = 'nl', publish = true } = more
  const made = await who.post('/api/pages', { title, locale, collection: 'nieuws' })
  expect(made.status, await made.clone().text()).toBe(201)
  const { id } = await made.json()
  const saved = await savePageIn(who, id, { fields, body: [aParagraph(`Over ${title}`)] }, { locale, publish })
  expect(saved.status, await saved.clone().text()).toBe(200)
  return id
}

/** Replaces the collections of the settings. */
export const changeCollections = async (who: SignedIn, collections: unknown) => {
  const { version } = await (await who.get('/api/config')).json()
  return who.put('/api/config', { version, config: { collections } })
}
