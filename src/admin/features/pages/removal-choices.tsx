import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Locale } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import { LinkHolders } from '../links/link-holders.tsx'
import styles from '../links/links.module.css'
import { linksToPageQuery } from '../links/links.ts'

/** In the confirmation of unpublishing, trashing or deleting a page: the links to it, and further choices. */
export function RemovalChoices(props: {
  id: number
  /** The language to unpublish; undefined: all. */
  locale: Locale | undefined
  /** Receives whether the addresses are to answer 410 (gone); omitted: no such choice. */
  onGone?: (isChecked: boolean) => void
  /** Whether removing the menu items of the page is checked at first. */
  fromMenu?: boolean
  /** Omitted: no such choice. */
  onFromMenu?: (isChecked: boolean) => void
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

/** A warning of the links to a page that will be dead. @param props.locale undefined: all languages */
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
