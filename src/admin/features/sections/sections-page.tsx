import { useQuery } from '@tanstack/react-query'
import { Blocks } from 'lucide-react'
import type { ListedSection } from '../../../contract/sections.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, LoadingOrError } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { pageReadRights } from '../pages/pages.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './sections.module.css'
import { sectionsQuery } from './sections.ts'

export function SectionsPage() {
  const t = useText()
  return (
    <Page title={t('shell.sections')} lead={t('blocks.sections.lead')} allowed={useRight(...pageReadRights)}>
      <SectionList />
    </Page>
  )
}

function SectionList() {
  const t = useText()
  const { data, error, refetch } = useQuery(sectionsQuery)
  if (!data) return <LoadingOrError error={error} refetch={refetch} rows={3} />
  if (data.length === 0)
    return <Empty icon={Blocks} title={t('blocks.sections.empty')} text={t('blocks.sections.none')} />
  return (
    <ul className={styles.saved}>
      {data.map((section) => (
        <li key={section.id}>
          <SectionCard section={section} />
        </li>
      ))}
    </ul>
  )
}

function SectionCard({ section }: { section: ListedSection }) {
  const t = useText()
  const uiLocale = useLocale()
  return (
    <article className={styles.one}>
      <h2 className="flush">
        <TextLink to="/admin/sections/$section" params={{ section: section.id }}>
          <bdi>{section.name}</bdi>
        </TextLink>
      </h2>
      <p className="flush">{section.types.map((type) => blockName(type, uiLocale)).join(' · ')}</p>
      <p className="quiet flush">
        {t('blocks.sections.usedBy', { count: section.usedBy })} · <Moment at={section.updatedAt} /> ·{' '}
        <bdi>{section.updatedBy.name}</bdi>
      </p>
    </article>
  )
}
