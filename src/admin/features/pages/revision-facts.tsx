import { Badge } from '@mantine/core'
import { History } from 'lucide-react'
import type { PageInLocale, RevisionGroup } from '../../../contract/pages.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { momentText, timeText } from '../../components/dates.tsx'
import { useLocale, useText } from '../../i18n.ts'

/**
 * When the saves of a group were made: the time of the only one, or the first and the last.
 * @param nested whether it is one save of a group, which others may follow within the minute
 */
export function useSavedWhen(group: RevisionGroup, nested = false): string {
  const t = useText()
  const locale = useLocale()
  const [from, until] = [new Date(group.from), new Date(group.until)]
  return momentText(from, locale) !== momentText(until, locale)
    ? t('pages.history.between', { from: momentText(from, locale), until: timeText(until, locale) })
    : momentText(until, locale, nested ? 'exact' : 'medium')
}

/** The user who saved, and how many times. */
export function SavedBy({ group }: { group: RevisionGroup }) {
  const t = useText()
  return (
    <p className="flush">
      <bdi>{group.by.name}</bdi>
      {group.saves > 1 && <span className="quiet"> · {t('pages.history.saves', { count: group.saves })}</span>}
    </p>
  )
}

/** Leads to the history of a page. */
export function WholeHistory({ page }: { page: PageInLocale }) {
  const t = useText()
  return (
    <LinkButton
      to="/admin/pages/$id/$locale/history"
      params={{ id: String(page.id), locale: page.locale }}
      leftSection={<History />}
    >
      {t('pages.history.whole')}
    </LinkButton>
  )
}

/** Whether it is the current text, or was published or restored. */
export function RevisionBadges({ group, size = 'lg' }: { group: RevisionGroup; size?: 'sm' | 'lg' }) {
  const t = useText()
  const shown = [
    group.current && ('current' as const),
    group.live && ('live' as const),
    group.published && !group.live && ('wasLive' as const),
    group.restoredFrom !== null && ('wasRestored' as const),
  ].filter((one) => one !== false)
  if (shown.length === 0) return null
  return (
    <p className="row">
      {shown.map((one) => (
        <Badge key={one} size={size} color={one === 'live' ? 'brand' : 'gray'}>
          {t(`pages.history.${one}`)}
        </Badge>
      ))}
    </p>
  )
}
