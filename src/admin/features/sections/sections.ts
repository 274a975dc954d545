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

/** The names of the loaded sections by id, for `sectionName`, which is called outside of components. */
const sectionNames = new Map<string, string>()

export const sectionsQuery = queryOptions({
  queryKey: ['sections', 'list'],
  queryFn: async (): Promise<ListedSection[]> => {
    const { data } = await parseResponse(api.sections.$get())
    for (const { id, name } of data) sectionNames.set(id, name)
    return data
  },
})

export const sectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['sections', 'one', id],
    queryFn: async (): Promise<Section> => parseResponse(api.sections[':id'].$get({ param: { id } })),
  })

/** Replaces the name and the blocks of a section. @throws {ApiRefusal} */
export const putSection = (
  id: string,
  { name, texts }: { name: string; texts: Record<Locale, readonly unknown[]> },
  version: number | undefined,
): Promise<Section> =>
  parseResponse(api.sections[':id'].$put({ param: { id }, json: { name, ...sectionTexts(texts), version } as never }))

/** Adds a section. @throws {ApiRefusal} */
export const postSection = (name: string, texts: Record<Locale, readonly unknown[]>): Promise<Section> =>
  parseResponse(api.sections.$post({ json: { name, ...sectionTexts(texts) } as never }))

/** The blocks by language as the API takes them: Dutch and Persian beside `texts`, and no language without blocks. */
export function sectionTexts(bodies: Record<Locale, readonly unknown[]>) {
  const { nl, fa, ...texts } = Object.fromEntries(Object.entries(bodies).filter(([, body]) => body.length > 0))
  return { ...(nl && { nl }), ...(fa && { fa }), texts }
}

/** The history of a section's blocks in one language, with the blocks as the body of an otherwise empty page text. */
export const sectionHistory = (id: string, locale: Locale): TextHistory => ({
  key: ['sections', 'revisions', id, locale],
  locale,
  list: (query) => parseResponse(api.sections[':id'][':locale'].revisions.$get({ param: { id, locale }, query })),
  async find(revision) {
    const param = { id, locale, revision: String(revision) }
    const { body, ...group } = await parseResponse(
      api.sections[':id'][':locale'].revisions[':revision'].$get({ param }),
    )
    return { ...group, text: { ...emptyText, body } }
  },
})

/** Loads the names for `sectionName` if a block shows a section; the component then renders again. */
export function useSectionNames(blocks: readonly { type: string }[]): void {
  const maySee = useRight('pages.write', 'pages.publish')
  useQuery({ ...sectionsQuery, enabled: maySee && blocks.some(({ type }) => type === 'section') })
}

/** The name of the section that a block shows; a text that it is gone when it is unknown or not loaded. */
export const sectionName = (block: object): string =>
  sectionNames.get(String((block as { section?: unknown }).section)) ?? translate('blocks.sections.gone')

/** Replaces the block of the surrounding form by others; undefined where that is not possible. */
export const ReplaceBlockContext = createContext<((blocks: StoredBlock[]) => void) | undefined>(undefined)
