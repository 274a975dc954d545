import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import type { Scene } from '../../../blocks/define-block.ts'
import { placeholdersOf } from '../../../contract/fill-text.ts'
import type { Locale } from '../../../contract/locales.ts'
import { addressesIn, type Picture } from '../../../contract/pictures.ts'
import type { SceneParts } from '../../../contract/scene.ts'
import type { SiteConfig, StoredBlock } from '../../../contract/site-config.ts'
import type { Translate } from '../../../i18n/translate.ts'
import { answer, api } from '../../client.ts'

/** What these blocks look at; asked anew when another picture stands in them. */
export const sceneQuery = (value: readonly StoredBlock[]) => {
  const pictures = addressesIn(JSON.stringify(value)).sort()
  return queryOptions({
    queryKey: ['scene', pictures],
    queryFn: async (): Promise<SceneParts> => answer(api.scene.$post({ json: { pictures } })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // While widths are being made, one looks how far it is.
    refetchInterval: ({ state }) =>
      Object.values(state.data?.pictures ?? {}).some(({ src }) => src === '') ? 1_500 : false,
  })
}

/** The words of the site that stand in blocks, in one language. */
export const siteWordsQuery = (locale: Locale) =>
  queryOptions({
    queryKey: ['site-words', locale],
    queryFn: async (): Promise<Translate> => {
      const words = i18next.createInstance()
      const [{ site }, { contact }] = await load[locale]()
      await words.init({
        lng: locale,
        fallbackLng: false,
        resources: { [locale]: { translation: { site, contact } } },
        // React escapes; escaping twice would show `&amp;`.
        interpolation: { escapeValue: false },
      })
      return words.getFixedT(locale) as unknown as Translate
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

const load: Record<Locale, () => Promise<[{ site: object }, { contact: object }]>> = {
  nl: () => Promise.all([import('../../../i18n/nl/site.ts'), import('../../../i18n/nl/contact.ts')]),
  fa: () => Promise.all([import('../../../i18n/fa/site.ts'), import('../../../i18n/fa/contact.ts')]),
}

/** The scene of a page that is being written, as the one who writes it would see it. */
export function sceneOf(
  parts: SceneParts,
  look: { locale: Locale; path: string; t: Translate; viewer: { name: string }; asked: readonly string[] },
): Scene {
  const { locale, path, t, viewer, asked } = look
  // No block looks at what the server keeps to itself: recipients, sender, and what else is of no visitor's concern.
  const site = parts.site as unknown as SiteConfig
  const placeholdersIn = (one: Locale) => placeholdersOf(site, one, new Date(), viewer.name)
  return {
    locale,
    contentLocale: locale,
    t,
    site,
    path,
    viewer,
    placeholders: placeholdersIn(locale),
    placeholdersIn,
    logoUrl: site.logo.src,
    contact: { values: {}, errors: {} },
    pictures: new Map([...asked.map((one) => [one, onItsWay] as const), ...Object.entries(parts.pictures)]),
  }
}

/** Keeps the place of a picture that has just been chosen, until it is known. */
const onItsWay: Picture = {
  src: '',
  width: 4,
  height: 3,
  sources: [],
  placeholder: null,
  focal: { x: 50, y: 50 },
  alt: { nl: '', fa: '' },
}
