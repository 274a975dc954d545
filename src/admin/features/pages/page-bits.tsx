import { Badge } from '@mantine/core'
import { CalendarClock, PencilLine } from 'lucide-react'
import type { ListedPage, PageState } from '../../../contract/pages.ts'
import { siteTimeText } from '../../components/dates.ts'
import { useLocale, useText } from '../../i18n.ts'
import styles from './pages.module.css'

export type InLocale = NonNullable<ListedPage['nl']>

const colours: Record<PageState, string> = { published: 'brand', changed: 'yellow', unpublished: 'gray' }

/** What visitors see of it. */
export function StateBadge({ state }: { state: PageState }) {
  const t = useText()
  return (
    <Badge size="lg" color={colours[state]} variant="light" className={styles.state ?? ''} data-state={state}>
      {t(`pages.state.${state}`)}
    </Badge>
  )
}

/** What will happen to it by itself, in words. */
export function Plans({ text }: { text: Pick<InLocale, 'publishAt' | 'unpublishAt'> }) {
  const t = useText()
  const locale = useLocale()
  const { publishAt, unpublishAt } = text
  if (!publishAt && !unpublishAt) return null
  return (
    <span className={styles.plans}>
      <CalendarClock size={16} aria-hidden />
      <span>
        {publishAt && (
          <span>{t('pages.plan.willPublish', { date: siteTimeText(new Date(publishAt), locale, t) })}</span>
        )}
        {unpublishAt && (
          <span>{t('pages.plan.willUnpublish', { date: siteTimeText(new Date(unpublishAt), locale, t) })}</span>
        )}
      </span>
    </span>
  )
}

/** There is a draft of one's own. */
export function DraftMark() {
  const t = useText()
  return (
    <Badge
      size="lg"
      variant="outline"
      color="gray"
      className={styles.state ?? ''}
      leftSection={<PencilLine size={14} aria-hidden />}
    >
      {t('pages.ownDraft')}
    </Badge>
  )
}
