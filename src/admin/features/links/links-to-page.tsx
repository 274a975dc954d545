import { useQuery } from '@tanstack/react-query'
import type { Locale } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import { LinkHolders } from './link-holder.tsx'
import styles from './links.module.css'
import { linksToPageQuery } from './links.ts'

/**
 * What links to a page, before it is taken off the site. A failure only costs the warning.
 * @param props.locale the only language in which it is taken off
 */
export function LinksToPage({ id, locale }: { id: number; locale: Locale | undefined }) {
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
