import { type BlockGroup, blockGroups } from '../../../blocks/define-block.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { adminLocale, type Locale } from '../../../contract/locales.ts'
import { isPageOnly } from '../../../contract/page-body.ts'
import { matchesSearch } from '../../components/matches-search.ts'

/**
 * Block types that can be added to a page. Header and footer blocks (`site`) are left out; saved sections (`saved`) are
 * picked from their own list.
 */
export const pageBlockTypes = (Object.keys(blocks) as BlockType[]).filter(
  (type) => blocks[type].group !== 'site' && blocks[type].group !== 'saved',
)

/** Block types that can be added to the header and footer. */
export const headerFooterBlockTypes = (Object.keys(blocks) as BlockType[]).filter((type) => !isPageOnly(type))

/** The types by group, in the order of the groups and then by name; only those that contain every word of the search. */
export function groupedTypes(
  types: readonly BlockType[],
  search: string,
  uiLocale: Locale,
): { group: BlockGroup; types: BlockType[] }[] {
  const { compare } = new Intl.Collator(uiLocale)
  const labels = (type: BlockType) => blocks[type].labels[adminLocale(uiLocale)]
  const matchingTypes = types
    .filter((type) => {
      const { name, hint, keywords = '' }: { name: string; hint: string; keywords?: string } = labels(type)
      return matchesSearch(`${name} ${hint} ${keywords}`, search)
    })
    .sort((a, b) => compare(labels(a).name, labels(b).name))
  return blockGroups
    .map((group) => ({ group, types: matchingTypes.filter((type) => blocks[type].group === group) }))
    .filter(({ types }) => types.length > 0)
}
