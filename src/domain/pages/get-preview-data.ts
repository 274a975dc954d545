import { entryListKey, entryListRequestOf } from '../../blocks/entry-list.tsx'
import type { ListedEntry } from '../../contract/collections.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, mainLocaleOf, textLocales } from '../../contract/locales.ts'
import type { PreviewData, PreviewDataRequest } from '../../contract/preview-data.ts'
import type { StoredBlock } from '../../contract/site-config.ts'
import { ownTexts } from '../../i18n/visitor-texts.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { findShownFiles } from '../files/show-file.ts'
import { findSectionContents, listSectionRows } from '../sections/section.queries.ts'
import { listEntries } from './entry-lists.ts'

/** What the editor needs to render blocks in one language: settings, files, menu pages, sections and entry lists. */
export async function getPreviewData(ctx: Context, input: PreviewDataRequest): Promise<PreviewData> {
  allow(ctx, ['pages.write', 'config.write'])
  const { site } = ctx
  const { action, fields, retentionDays } = site.contact
  const sections = await loadSections(ctx, input)
  const entryLists = await loadEntryLists(ctx, input, sections)
  const { images, files } = await findShownFiles(ctx, [
    site.branding,
    ...input.pictures.map((address) => `/files/${address}/`),
    sections,
    entryLists,
  ])
  return {
    site: {
      brand: site.brand,
      url: site.url,
      business: site.business,
      legal: site.legal,
      logo: site.logo,
      offer: site.offer,
      menus: site.menus,
      // The cast is needed because a stored block has the fields of its kind, which its type does not name.
      branding: site.branding as PreviewData['site']['branding'],
      look: site.look,
      retention: site.retention,
      fallbackLocales: site.fallbackLocales,
      texts: blockTexts(site, input.locale),
      locales: site.locales,
      rootLocale: site.rootLocale,
      languages: site.languages,
      forms: (site.forms ?? []).map(({ recipients: _, subject: __, ...shown }) => shown),
      collections: site.collections,
      contact: { action, fields, retentionDays },
    },
    pictures: Object.fromEntries(images),
    files: Object.fromEntries(files),
    menuPages: Object.fromEntries(ctx.menuPages),
    sections,
    entryLists,
  }
}

/** The texts that the customer has replaced and that blocks use, by language. */
const blockTexts = (site: Context['site'], locale: Locale): PreviewData['site']['texts'] =>
  Object.fromEntries(
    textLocales(locale, site.fallbackLocales).map((language) => [
      language,
      Object.fromEntries(
        Object.entries(ownTexts(site, language) ?? {}).filter(([path]) => /^(?:site|contact)\./.test(path)),
      ),
    ]),
  )

async function loadSections({ db, site }: Context, input: PreviewDataRequest): Promise<PreviewData['sections']> {
  const contents = await findSectionContents(db, input.sections ?? [], input.locale, mainLocaleOf(site))
  if (contents.size === 0) return {}
  const rows = await listSectionRows(db, [...contents.keys()])
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return Object.fromEntries(
    [...contents].map(([id, { locale, body }]) => [
      id,
      { name: names.get(id) ?? '', locale, body: [...body] as PreviewData['sections'][string]['body'] },
    ]),
  )
}

async function loadEntryLists(
  ctx: Context,
  { entryLists = [], locale }: PreviewDataRequest,
  sections: PreviewData['sections'],
): Promise<PreviewData['entryLists']> {
  const inSections = Object.values(sections).flatMap(({ body }) =>
    body.flatMap((block) => entryListRequestOf(block as StoredBlock) ?? []),
  )
  const requests = [...entryLists, ...inSections].slice(0, 2 * limits.entryLists)
  const entriesOf: Record<string, readonly ListedEntry[]> = {}
  for (const request of requests) entriesOf[entryListKey(request)] = (await listEntries(ctx, locale, request)).entries
  return entriesOf as unknown as PreviewData['entryLists']
}
