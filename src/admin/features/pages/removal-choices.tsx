import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Locale } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import { LinkHolders } from '../links/link-holders.tsx'
import styles from '../links/links.module.css'
import { linksToPageQuery } from '../links/links.ts'

/** In the question before a page is taken off the site: what links to it, and what else can be done at once. */
export function RemovalChoices(props: {
  id: number
  /** The only language in which it is taken off. */
  locale: Locale | undefined
  /** Whether its addresses answer that it is gone; omitted where that is not offered. */
  onGone?: (chosen: boolean) => void
  /** Whether its items in the menus are removed too; omitted where that is not offered. */
  fromMenu?: boolean
  onFromMenu?: (chosen: boolean) => void
}) {
  const { id, locale, onGone, fromMenu, onFromMenu } = props
  const t = useText()
  return (
    <>
      <LinksToPage id={id} locale={locale} />
      {onGone && (
        <Checkbox
          label={t('pages.answerGone')}
          description={t('pages.answerGoneHelp')}
          onChange={(event) => onGone(event.currentTarget.checked)}
        />
      )}
      {onFromMenu && (
        <Checkbox
          label={t('pages.menu.remove')}
          defaultChecked={fromMenu ?? false}
          onChange={(event) => onFromMenu(event.currentTarget.checked)}
        />
      )}
    </>
  )
}

/**
 * The links to a page, before it is taken off the site. A failure only costs the warning.
 * @param props.locale the only language in which it is taken off
 */
function LinksToPage({ id, locale }: { id: number; locale: Locale | undefined }) {
  const t = useText()
  const { data, error, isFetching } = useQuery(linksToPageQuery(id, locale))
  if (error) return <p role="status">{t('links.notFound')}</p>
  if (!data || isFetching) return <p role="status">{t('links.searching')}</p>
  const { holders, total, otherDrafts } = data
  return (
    <div className={styles.toPage} role="status">
      {total === 0 && <p className="flush">{t('links.none')}</p>}
      {total > 0 && (
        <>
          <p className="flush">{t('links.willBeDead')}</p>
          <LinkHolders holders={holders} total={total} />
        </>
      )}
      {otherDrafts > 0 && <p className="flush">{t('links.otherDrafts', { count: otherDrafts })}</p>}
    </div>
  )
}
