import { Badge } from '@mantine/core'
import { History } from 'lucide-react'
import type { PageInLocale, RevisionGroup } from '../../../contract/pages.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { momentText, timeText } from '../../components/dates.tsx'
import { useLocale, useText } from '../../i18n.ts'

/**
 * When the saves of a group were made, as text: two times, or one if the first and the last are in the same minute.
 * @param exact one time is given to the second
 */
export function useSavedWhen(group: RevisionGroup, exact = false): string {
  const t = useText()
  const locale = useLocale()
  const [from, until] = [new Date(group.from), new Date(group.until)]
  if (momentText(from, locale) === momentText(until, locale))
    return momentText(until, locale, exact ? 'exact' : 'medium')
  return t('pages.history.between', { from: momentText(from, locale), until: timeText(until, locale) })
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

/** A link to the history of a page. */
export function HistoryLink({ page }: { page: PageInLocale }) {
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

/** Badges of a group with the saved text, the live text, or a text that was published or restored. */
export function RevisionBadges({ group, size = 'lg' }: { group: RevisionGroup; size?: 'sm' | 'lg' }) {
  const t = useText()
  const badges = [
    group.current && ('current' as const),
    group.live && ('live' as const),
    group.published && !group.live && ('wasLive' as const),
    group.restoredFrom !== null && ('wasRestored' as const),
  ].filter((badge) => badge !== false)
  if (badges.length === 0) return null
  return (
    <p className="row">
      {badges.map((badge) => (
        <Badge key={badge} size={size} color={badge === 'live' ? 'brand' : 'gray'}>
          {t(`pages.history.${badge}`)}
        </Badge>
      ))}
    </p>
  )
}
