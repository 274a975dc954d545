import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useCallback } from 'react'
import type { RenderContext } from '../../../blocks/define-block.ts'
import { entryListKey, entryListRequestOf } from '../../../blocks/entry-list.tsx'
import { sectionIdsIn } from '../../../blocks/section.tsx'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { ResponsiveImage } from '../../../contract/images.ts'
import { limits } from '../../../contract/limits.ts'
import { type Locale, type ProgramLocale, programLocale, textLocales } from '../../../contract/locales.ts'
import { sectionId } from '../../../contract/page-body.ts'
import { fillPlaceholders, placeholdersOf } from '../../../contract/placeholders.ts'
import type { PreviewData } from '../../../contract/preview-data.ts'
import type { SiteConfig, StoredBlock } from '../../../contract/site-config.ts'
import type { Translate } from '../../../i18n/translate.ts'
import { api, parseAs, pollWhile } from '../../client.ts'
import { isUploadedHere, localImage, releaseLocalImage } from '../files/local-images.ts'
import { useRight } from '../sign-in/me.ts'

/** The data that these blocks need to render; refetched when other images are in them. */
export const previewDataQuery = (value: readonly StoredBlock[], locale: Locale = 'nl') => {
  const fileIds = publicFileIdsIn(JSON.stringify(value)).sort().slice(0, limits.bulkIdsMax)
  const sections = [...new Set(sectionIdsIn(value).map(([, id]) => id))].filter(isSectionId).sort()
  const requests = new Map(value.flatMap(entryListsIn).map((request) => [entryListKey(request), request]))
  const entryLists = [...requests.values()].slice(0, limits.entryLists)
  return queryOptions({
    queryKey: ['preview-data', fileIds, sections, locale, entryLists],
    queryFn: async (): Promise<PreviewData> => {
      const found: PreviewData = await parseAs(
        api.scene.$post({ json: { pictures: fileIds, sections, locale, entryLists } }),
      )
      for (const [id, { sources }] of Object.entries(found.pictures)) if (sources.length > 0) releaseLocalImage(id)
      return found
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // Poll while images are being resized, but not forever: resizing may have failed.
    refetchInterval: ({ state }) => {
      const { dataUpdateCount: polls } = state
      const poll = pollWhile(hasImagesToResize, polls < quickPolls ? 250 : 5_000)
      return polls < maxPolls && poll({ state })
    },
  })
}

/** The first width of a photo takes a second or two. */
const quickPolls = 20
/** The quick polls take 5 seconds together, the slow ones 5 minutes. */
const maxPolls = 80

const hasImagesToResize = ({ pictures }: PreviewData) => Object.entries(pictures).some(isBeingResized)

const isBeingResized = ([publicId, { src, sources, outdated }]: [string, ResponsiveImage]): boolean =>
  outdated === true || (sources.length === 0 && (src === '' || isUploadedHere(publicId)))

const entryListsIn = (block: StoredBlock) => entryListRequestOf(block) ?? []

/** A draft may hold anything. */
const isSectionId = (id: string): boolean => sectionId.safeParse(id).success

/** The texts that blocks use, in one language: those of the site, or else of the program. */
export const siteTextsQuery = (locale: Locale) =>
  queryOptions({
    queryKey: ['config', 'texts', 'blocks', locale],
    queryFn: async ({ client }): Promise<Translate> => {
      const found = await client.fetchQuery({ ...previewDataQuery([], locale), staleTime: 0 })
      const order = textLocales(locale, found.site.fallbackLocales)
      const textLocale = order.at(-1) ?? locale
      const { site, contact } = await load[programLocale(textLocale)]()
      const texts = i18next.createInstance()
      await texts.init({
        lng: locale,
        fallbackLng: order.slice(1),
        // A copy: the texts of the site are added to it.
        resources: { [textLocale]: { translation: structuredClone({ site, contact }) } },
        // React escapes; escaping twice would show `&amp;`. Texts of the site do not refer to other texts.
        interpolation: { escapeValue: false, nestingPrefix: '\u0000' },
      })
      for (const [one, own] of Object.entries(found.site.texts ?? {})) {
        for (const [path, text] of Object.entries(own)) texts.addResource(one, 'translation', path, text)
      }
      return texts.getFixedT(locale) as unknown as Translate
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

const load: Record<ProgramLocale, () => Promise<{ site: object; contact: object }>> = {
  nl: () => import('../../../i18n/nl/site.ts'),
  fa: () => import('../../../i18n/fa/site.ts'),
  en: () => import('../../../i18n/en/site.ts'),
}

/** The render context of an unsaved page, as the current user would see it. */
export function renderContextOf(
  parts: PreviewData,
  page: { locale: Locale; path: string; t: Translate; viewer: { name: string }; pendingImages: readonly string[] },
): RenderContext {
  const { locale, path, t, viewer, pendingImages } = page
  // Blocks do not use the private parts of the configuration, such as recipients and sender.
  const site = parts.site as unknown as SiteConfig
  const placeholdersIn = (one: Locale) => placeholdersOf(site, one, new Date(), viewer.name)
  return {
    locale,
    contentLocale: locale,
    t,
    site,
    path,
    viewer,
    now: new Date(),
    placeholders: placeholdersIn(locale),
    placeholdersIn,
    // Only one language's texts are loaded, so a section that is shown in its fallback language needs these too.
    textsIn: () => t,
    logoUrl: site.logo.src,
    contact: { values: {}, errors: {} },
    images: new Map([
      ...pendingImages.map((one) => [one, { ...placeholderImage, ...localImage(one) }] as const),
      ...Object.entries(parts.pictures).map(([id, image]) => [id, shownNow(id, image)] as const),
    ]),
    files: new Map(Object.entries(parts.files)),
    menuPages: new Map(Object.entries(parts.menuPages).map(([id, page]) => [Number(id), page])),
    sections: new Map(Object.entries(parts.sections)),
    entryLists: new Map(Object.entries(parts.entryLists)) as unknown as RenderContext['entryLists'],
  }
}

/** Placeholder for an image that was just chosen, until its data has loaded. */
const placeholderImage: ResponsiveImage = {
  src: '',
  width: 4,
  height: 3,
  sources: [],
  placeholder: null,
  focal: { x: 50, y: 50 },
  alt: { nl: '', fa: '' },
}

/** An image that was just uploaded is shown from this computer until it is resized. */
function shownNow(publicId: string, image: ResponsiveImage): ResponsiveImage {
  const local = image.sources.length === 0 ? localImage(publicId) : undefined
  return local ? { ...image, ...local, placeholder: null } : image
}

export type Fill = (text: string) => string

/**
 * Fills the placeholders of a text as the site does. Until the data has loaded they stay as they are.
 * @param locale the locale of the text
 */
export function useFillPlaceholders(locale: Locale): Fill {
  const { data: parts } = useQuery({
    ...previewDataQuery([], locale),
    enabled: useRight('pages.write', 'config.write'),
  })
  return useCallback(
    (text) => {
      // Most texts have none, and reading the values takes longer than rendering the block.
      if (!parts || !text.includes('[')) return text
      return fillPlaceholders(text, placeholdersOf(parts.site as unknown as SiteConfig, locale, new Date()))
    },
    [parts, locale],
  )
}
