import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useCallback } from 'react'
import type { RenderContext } from '../../../blocks/define-block.ts'
import { entryListKey, entryListRequestOf } from '../../../blocks/entry-list.tsx'
import { sectionIdsIn } from '../../../blocks/section.tsx'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { ResponsiveImage } from '../../../contract/images.ts'
import { limits } from '../../../contract/limits.ts'
import { type BuiltInLocale, builtInLocale, type Locale, textLocales } from '../../../contract/locales.ts'
import { sectionId } from '../../../contract/page-body.ts'
import { fillPlaceholders, placeholdersOf } from '../../../contract/placeholders.ts'
import type { PreviewData } from '../../../contract/preview-data.ts'
import type { SiteConfig, StoredBlock } from '../../../contract/site-config.ts'
import type { Translate } from '../../../i18n/translate.ts'
import { api, parseAs, pollWhile } from '../../client.ts'
import { isUploadedHere, localImage, releaseLocalImage } from '../files/local-images.ts'
import { useRight } from '../sign-in/me.ts'

/**
 * The data that blocks need to render: the sections, and up to the limits the files and entry lists, to which they
 * refer, and the public part of the configuration. For that alone no blocks and the default locale will do.
 */
export const previewDataQuery = (value: readonly StoredBlock[], locale: Locale = 'nl') => {
  const fileIds = publicFileIdsIn(JSON.stringify(value)).sort().slice(0, limits.bulkIdsMax)
  const sections = [...new Set(sectionIdsIn(value).map(([, id]) => id))].filter(isSectionId).sort()
  const requests = new Map(value.flatMap(entryListsIn).map((request) => [entryListKey(request), request]))
  const entryLists = [...requests.values()].slice(0, limits.entryLists)
  return queryOptions({
    queryKey: ['preview-data', fileIds, sections, locale, entryLists],
    queryFn: async (): Promise<PreviewData> => {
      const data: PreviewData = await parseAs(
        api.scene.$post({ json: { pictures: fileIds, sections, locale, entryLists } }),
      )
      const resized = Object.entries(data.pictures).filter(([, { sources }]) => sources.length > 0)
      for (const [publicId] of resized) releaseLocalImage(publicId)
      return data
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // Poll while images are being resized, but not forever: resizing may have failed.
    refetchInterval: ({ state }) => {
      const { dataUpdateCount: pollCount } = state
      const intervalOf = pollWhile(hasImagesToResize, pollCount < quickPollCount ? 250 : 5_000)
      return pollCount < maxPollCount && intervalOf({ state })
    },
  })
}

/** Quick polls take 5 seconds together: the first width of a photo takes a second or two. */
const quickPollCount = 20
/** The polls after the quick ones take 5 minutes together. */
const maxPollCount = 80

const hasImagesToResize = ({ pictures }: PreviewData) => Object.entries(pictures).some(isBeingResized)

/** An image that is never resized, such as an SVG, has no sources but a `src`, and `local-images.ts` leaves it out. */
function isBeingResized([publicId, { src, sources, outdated }]: [string, ResponsiveImage]): boolean {
  if (outdated) return true
  return sources.length === 0 && (src === '' || isUploadedHere(publicId))
}

const entryListsIn = (block: StoredBlock) => entryListRequestOf(block) ?? []

/** Whether the API accepts the id: a draft may hold anything. */
const isSectionId = (id: string): boolean => sectionId.safeParse(id).success

/** Translates the texts that blocks use into one language: with the site's own texts, or else the built-in ones. */
export const siteTextsQuery = (locale: Locale) =>
  queryOptions({
    queryKey: ['config', 'texts', 'blocks', locale],
    queryFn: async ({ client }): Promise<Translate> => {
      const { site: siteConfig } = await client.fetchQuery({ ...previewDataQuery([], locale), staleTime: 0 })
      const lookupOrder = textLocales(locale, siteConfig.fallbackLocales)
      // The last one is the only one with built-in texts.
      const builtIn = lookupOrder.at(-1) ?? locale
      const { site, contact } = await importBuiltInTexts[builtInLocale(builtIn)]()
      const texts = i18next.createInstance()
      await texts.init({
        lng: locale,
        fallbackLng: lookupOrder.slice(1),
        // A copy: the texts of the site are added to it.
        resources: { [builtIn]: { translation: structuredClone({ site, contact }) } },
        // React escapes; escaping twice would show `&amp;`. The prefix never occurs: texts do not refer to other texts.
        interpolation: { escapeValue: false, nestingPrefix: '\u0000' },
      })
      for (const [textLocale, siteTexts] of Object.entries(siteConfig.texts ?? {})) {
        for (const [path, text] of Object.entries(siteTexts)) texts.addResource(textLocale, 'translation', path, text)
      }
      return texts.getFixedT(locale) as unknown as Translate
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

const importBuiltInTexts: Record<BuiltInLocale, () => Promise<{ site: object; contact: object }>> = {
  nl: () => import('../../../i18n/nl/site.ts'),
  fa: () => import('../../../i18n/fa/site.ts'),
  en: () => import('../../../i18n/en/site.ts'),
}

/** The render context of an unsaved page, for the current user. `pendingImages`: public ids that `data` may lack. */
export function renderContextOf(
  data: PreviewData,
  page: { locale: Locale; path: string; t: Translate; viewer: { name: string }; pendingImages: readonly string[] },
): RenderContext {
  const { locale, path, t, viewer, pendingImages } = page
  // Blocks do not use the private parts of the configuration, such as recipients and sender.
  const site = data.site as unknown as SiteConfig
  const placeholdersIn = (textLocale: Locale) => placeholdersOf(site, textLocale, new Date(), viewer.name)
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
    translatorFor: () => t,
    logoUrl: site.logo.src,
    logoRatio: 1,
    contact: { values: {}, errors: {} },
    images: new Map([
      ...pendingImages.map((publicId) => [publicId, { ...imageBeforeData, ...localImage(publicId) }] as const),
      ...Object.entries(data.pictures).map(([publicId, image]) => [publicId, withLocalImage(publicId, image)] as const),
    ]),
    files: new Map(Object.entries(data.files)),
    menuPages: new Map(Object.entries(data.menuPages).map(([id, page]) => [Number(id), page])),
    sections: new Map(Object.entries(data.sections)),
    entryLists: new Map(Object.entries(data.entryLists)) as unknown as RenderContext['entryLists'],
  }
}

/** What is rendered for an image that was just chosen, until its data has loaded. */
const imageBeforeData: ResponsiveImage = {
  src: '',
  width: 4,
  height: 3,
  sources: [],
  placeholder: null,
  focal: { x: 50, y: 50 },
  alt: { nl: '', fa: '' },
}

/** An image that was just uploaded is shown from this computer until it is resized. */
function withLocalImage(publicId: string, image: ResponsiveImage): ResponsiveImage {
  const local = image.sources.length === 0 ? localImage(publicId) : undefined
  return local ? { ...image, ...local, placeholder: null } : image
}

export type FillPlaceholders = (text: string) => string

/** Fills placeholders as the site does. Unchanged texts until the data has loaded, or without a right to write. */
export function useFillPlaceholders(locale: Locale): FillPlaceholders {
  const { data } = useQuery({
    ...previewDataQuery([], locale),
    enabled: useRight('pages.write', 'config.write'),
  })
  return useCallback(
    (text) => {
      // Most texts have none, and computing the values takes longer than rendering the block.
      if (!data || !text.includes('[')) return text
      return fillPlaceholders(text, placeholdersOf(data.site as unknown as SiteConfig, locale, new Date()))
    },
    [data, locale],
  )
}
