import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { newBlock } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { ListedSection, Section } from '../../../contract/sections.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { SaveFailure } from '../../components/form.tsx'
import { matchesSearch } from '../../components/matches-search.ts'
import { LoadingOrError } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { withNewIds } from '../blocks/block-clipboard.ts'
import { blockName } from '../blocks/block-names.tsx'
import blocks from '../blocks/blocks.module.css'
import styles from './sections.module.css'
import { sectionQuery, sectionsQuery } from './sections.ts'

export interface SectionTarget {
  locale: Locale
  /** Called with a block that shows the section, or with copies of the section's blocks. */
  onInsert: (blocks: StoredBlock[]) => void
}

/** The saved sections whose name or blocks match a search, each to add as a block that shows it, or as a copy. */
export function SavedSections(props: SectionTarget & { types: readonly BlockType[]; search: string }) {
  const { types, search } = props
  const t = useText()
  const uiLocale = useLocale()
  const { data, error, refetch } = useQuery(sectionsQuery)
  // A column allows no columns in it, and no block that shows a section.
  const isColumn = !types.includes('columns')
  const isAllowed = (section: ListedSection) =>
    !isColumn || section.types.every((type) => types.includes(type as BlockType))
  const searchText = ({ name, types }: ListedSection) =>
    [name, ...types.map((type) => blockName(type, uiLocale))].join(' ')
  const sections = data?.filter((section) => isAllowed(section) && matchesSearch(searchText(section), search))
  if (sections?.length === 0 && (search.trim() || isColumn)) return null
  return (
    <section>
      <h3>{t('blocks.groups.saved')}</h3>
      {!sections && <LoadingOrError error={error} refetch={refetch} rows={1} />}
      {sections?.length === 0 && <p className="quiet flush">{t('blocks.sections.none')}</p>}
      <ul className={styles.saved}>
        {sections?.map((section) => (
          <li key={section.id}>
            <SectionChoice {...props} section={section} canShare={!isColumn} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function SectionChoice(props: SectionTarget & { section: ListedSection; canShare: boolean }) {
  const { section, canShare, locale, onInsert } = props
  const { id, name } = section
  const t = useText()
  const uiLocale = useLocale()
  const mainLocale = useMainLocale()
  const queries = useQueryClient()
  const copy = useMutation({
    mutationFn: () => queries.fetchQuery(sectionQuery(id)),
    onSuccess: (fullSection) => onInsert(copyBlocksOf(fullSection, locale, mainLocale)),
  })
  return (
    <article className={styles.one}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <small className={blocks.hint}>{section.types.map((type) => blockName(type, uiLocale)).join(' · ')}</small>
      {copy.error && <SaveFailure title={t('blocks.sections.notLoaded')} error={copy.error} unplaced={[]} />}
      <div className="row">
        {canShare && (
          <Button
            size="compact-sm"
            data-choice
            aria-label={t('blocks.sections.shareOne', { name })}
            onClick={() => onInsert([{ ...newBlock('section', locale), section: id } as StoredBlock])}
          >
            {t('blocks.sections.share')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          data-choice
          loading={copy.isPending}
          aria-label={t('blocks.sections.copyOne', { name })}
          onClick={() => copy.mutate()}
        >
          {t('blocks.sections.copy')}
        </Button>
      </div>
    </article>
  )
}

/** Copies of a section's blocks with new ids: in a language, or else in the main one, or else in any other. */
export function copyBlocksOf({ texts }: Pick<Section, 'texts'>, locale: Locale, mainLocale: Locale): StoredBlock[] {
  const sectionBlocks = texts[locale] ?? texts[mainLocale] ?? Object.values(texts)[0] ?? []
  return (sectionBlocks as StoredBlock[]).map(withNewIds)
}
