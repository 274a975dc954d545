import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext } from 'react'
import { emptyText } from '../../../contract/empty-text.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { ListedSection, Section } from '../../../contract/sections.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { api, parseResponse } from '../../client.ts'
import { translate } from '../../i18n.ts'
import type { TextHistory } from '../pages/pages.ts'
import { useRight } from '../sign-in/me.ts'

/** The names of the sections that were loaded, for texts that are made outside of components. */
const names = new Map<string, string>()

export const sectionsQuery = queryOptions({
  queryKey: ['sections', 'list'],
  queryFn: async (): Promise<ListedSection[]> => {
    const { data } = await parseResponse(api.sections.$get())
    for (const { id, name } of data) names.set(id, name)
    return data
  },
})

export const sectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['sections', 'one', id],
    queryFn: async (): Promise<Section> => parseResponse(api.sections[':id'].$get({ param: { id } })),
  })

/** Replaces the name and the blocks. @throws {ApiRefusal} */
export const putSection = (
  id: string,
  { name, texts }: { name: string; texts: Record<Locale, readonly unknown[]> },
  version: number | undefined,
): Promise<Section> =>
  parseResponse(api.sections[':id'].$put({ param: { id }, json: { name, ...sectionTexts(texts), version } as never }))

/** @throws {ApiRefusal} */
export const postSection = (name: string, texts: Record<Locale, readonly unknown[]>): Promise<Section> =>
  parseResponse(api.sections.$post({ json: { name, ...sectionTexts(texts) } as never }))

/** The blocks by language, as the API takes them. */
export function sectionTexts(all: Record<Locale, readonly unknown[]>) {
  const { nl, fa, ...texts } = Object.fromEntries(Object.entries(all).filter(([, body]) => body.length > 0))
  return { ...(nl && { nl }), ...(fa && { fa }), texts }
}

export const sectionHistory = (id: string, locale: Locale): TextHistory => ({
  key: ['sections', 'revisions', id, locale],
  locale,
  list: (query) => parseResponse(api.sections[':id'][':locale'].revisions.$get({ param: { id, locale }, query })),
  async find(revision) {
    const param = { id, locale, revision: String(revision) }
    const { body, ...found } = await parseResponse(
      api.sections[':id'][':locale'].revisions[':revision'].$get({ param }),
    )
    return { ...found, text: { ...emptyText, body } }
  },
})

/** Loads the names for `sectionName`, when one of the blocks is a section; the component then renders again. */
export function useSectionNames(blocks: readonly { type: string }[]): void {
  const maySee = useRight('pages.write', 'pages.publish')
  useQuery({ ...sectionsQuery, enabled: maySee && blocks.some(({ type }) => type === 'section') })
}

export const sectionName = (block: object): string =>
  names.get(String((block as { section?: unknown }).section)) ?? translate('blocks.sections.gone')

/** Replaces the block of the surrounding form by others. */
export const ReplaceBlockContext = createContext<((blocks: StoredBlock[]) => void) | undefined>(undefined)
