import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw, Unlink } from 'lucide-react'
import type { DeadLinks } from '../../../contract/links.ts'
import { numberText } from '../../components/dates.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Empty, Failed, Loading, NoRight } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { pageReadRights } from '../pages/pages.ts'
import { useRight } from '../sign-in/me.ts'
import { ForeignLinksSection } from './foreign-links.tsx'
import { LinkHolders } from './link-holder.tsx'
import styles from './links.module.css'
import { deadLinksQuery } from './links.ts'

/** Links within the site that lead nowhere. */
export function DeadLinksPage() {
  const t = useText()
  const maySee = useRight(...pageReadRights)
  return (
    <Page title={t('links.title')} lead={t('links.lead')} back={{ to: '/admin/pages', label: t('pages.title') }}>
      {maySee ? (
        <>
          <Found />
          <ForeignLinksSection />
        </>
      ) : (
        <NoRight />
      )}
    </Page>
  )
}

function Found() {
  const t = useText()
  const locale = useLocale()
  const { data, error, refetch, isFetching } = useQuery(deadLinksQuery)
  const again = (
    <Button
      variant="default"
      leftSection={<RefreshCw size={18} aria-hidden />}
      loading={isFetching}
      onClick={() => void refetch()}
    >
      {t('links.again')}
    </Button>
  )
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={4} />
  if (data.links.length === 0) {
    const text = t('links.allWellText', { count: data.checked })
    return <Empty icon={Unlink} title={t('links.allWell')} text={text} action={again} />
  }
  const count = data.links.length + data.more
  return (
    <Section
      title={t('links.found', { count })}
      lead={t('links.checked', { number: numberText(data.checked, locale) })}
      actions={again}
    >
      <DeadLinkList {...data} />
    </Section>
  )
}

function DeadLinkList({ links, more }: DeadLinks) {
  const t = useText()
  return (
    <>
      <ul className={styles.dead}>
        {links.map(({ address, holders, total }) => (
          <li key={address}>
            <h3 className={styles.address}>
              <bdi dir="ltr">{address}</bdi>
            </h3>
            <LinkHolders holders={holders} total={total} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="flush">{t('links.moreAddresses', { count: more })}</p>}
    </>
  )
}
