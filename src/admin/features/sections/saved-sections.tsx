import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { newBlock } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { ListedSection, Section } from '../../../contract/sections.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { SaveFailure } from '../../components/form.tsx'
import { Unloaded } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { matchesSearch } from '../blocks/block-choices.ts'
import { withNewIds } from '../blocks/block-clipboard.ts'
import { blockName } from '../blocks/block-names.tsx'
import blocks from '../blocks/blocks.module.css'
import styles from './sections.module.css'
import { sectionQuery, sectionsQuery } from './sections.ts'

export interface SavedTo {
  /** The language of the content. */
  locale: Locale
  onBlocks: (blocks: StoredBlock[]) => void
}

/** The saved sections whose name or blocks match a search, each to add as shared or as a copy. */
export function SavedSections(props: SavedTo & { types: readonly BlockType[]; search: string }) {
  const { types, search } = props
  const t = useText()
  const uiLocale = useLocale()
  const { data, error, refetch } = useQuery(sectionsQuery)
  // A column holds some blocks only, and no section.
  const inColumn = !types.includes('columns')
  const fits = (section: ListedSection) => !inColumn || section.types.every((type) => types.includes(type as BlockType))
  const found = data?.filter(
    (section) =>
      fits(section) &&
      matchesSearch([section.name, ...section.types.map((type) => blockName(type, uiLocale))].join(' '), search),
  )
  if (found?.length === 0 && (search.trim() || inColumn)) return null
  return (
    <section>
      <h3>{t('blocks.groups.saved')}</h3>
      {!found && <Unloaded error={error} refetch={refetch} rows={1} />}
      {found?.length === 0 && <p className="quiet flush">{t('blocks.sections.none')}</p>}
      <ul className={styles.saved}>
        {found?.map((section) => (
          <li key={section.id}>
            <OneSection {...props} section={section} shares={!inColumn} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OneSection(props: SavedTo & { section: ListedSection; shares: boolean }) {
  const { section, shares, locale, onBlocks } = props
  const { id, name } = section
  const t = useText()
  const uiLocale = useLocale()
  const main = useMainLocale()
  const queries = useQueryClient()
  const copy = useMutation({
    mutationFn: () => queries.fetchQuery(sectionQuery(id)),
    onSuccess: (full) => onBlocks(copiesOf(full, locale, main)),
  })
  return (
    <article className={styles.one}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <small className={blocks.hint}>{section.types.map((type) => blockName(type, uiLocale)).join(' · ')}</small>
      {copy.error && <SaveFailure title={t('blocks.sections.notLoaded')} error={copy.error} unplaced={[]} />}
      <div className="row">
        {shares && (
          <Button
            size="compact-sm"
            data-choice
            aria-label={t('blocks.sections.shareOne', { name })}
            onClick={() => onBlocks([{ ...newBlock('section', locale), section: id } as StoredBlock])}
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

/** The blocks of a section in a language, or else in the main one, with new ids. */
export const copiesOf = (section: Pick<Section, 'texts'>, locale: Locale, main: Locale): StoredBlock[] =>
  ((section.texts[locale] ?? section.texts[main] ?? Object.values(section.texts)[0] ?? []) as StoredBlock[]).map(
    withNewIds,
  )
