import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RefreshCw, Unlink } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { DeadLinks, ExternalLinks } from '../../../contract/links.ts'
import { api, parseResponse } from '../../client.ts'
import { numberText } from '../../components/dates.tsx'
import { notifyFailure, reasonOf } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Empty, InlineError, LoadingOrError } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { pageReadRights } from '../pages/pages.ts'
import { useRight } from '../sign-in/me.ts'
import { LinkHolders } from './link-holders.tsx'
import styles from './links.module.css'
import { deadLinksQuery } from './links.ts'

/** The screen of dead links: those within the site, and on request those to external sites. */
export function DeadLinksPage() {
  const t = useText()
  return (
    <Page
      title={t('links.title')}
      lead={t('links.lead')}
      back={{ to: '/admin/pages', label: t('pages.title') }}
      allowed={useRight(...pageReadRights)}
    >
      <InternalLinksSection />
      <ExternalLinksSection />
    </Page>
  )
}

function InternalLinksSection() {
  const t = useText()
  const locale = useLocale()
  const { data, error, refetch, isFetching } = useQuery(deadLinksQuery)
  const checkAgainButton = (
    <Button leftSection={<RefreshCw />} loading={isFetching} onClick={() => void refetch()}>
      {t('links.again')}
    </Button>
  )
  if (!data) return <LoadingOrError error={error} refetch={refetch} rows={4} />
  const failure = error && <InlineError text={reasonOf(error)} retry={() => void refetch()} />
  if (data.links.length === 0) {
    const text = t('links.allWellText', { count: data.checked })
    return failure ?? <Empty icon={Unlink} title={t('links.allWell')} text={text} action={checkAgainButton} />
  }
  const deadCount = data.links.length + data.more
  return (
    <Section
      title={t('links.found', { count: deadCount })}
      lead={t('links.checked', { number: numberText(data.checked, locale) })}
      actions={checkAgainButton}
    >
      {failure}
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

type Progress = Pick<ExternalLinks, 'links' | 'checked' | 'left'>

/** A button that checks links to external sites (`foreign` in the API), in batches until the user leaves the screen. */
function ExternalLinksSection() {
  const t = useText()
  const [progress, setProgress] = useState<Progress>()
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])
  const check = useMutation({
    async mutationFn() {
      let total: Progress = { links: [], checked: 0, left: 0 }
      // An empty `after` starts with the first link; a null `next` ends the check.
      let after: string | null = ''
      while (after !== null && !isUnmounted.current) {
        const batch: ExternalLinks = await parseResponse(api.links.foreign.check.$post({ json: { after } }))
        total = { links: [...total.links, ...batch.links], checked: total.checked + batch.checked, left: batch.left }
        setProgress(total)
        after = batch.next
      }
    },
    onError: (error) => notifyFailure(t('links.notChecked'), error),
  })
  return (
    <Section
      title={t('links.foreign')}
      lead={t('links.foreignLead')}
      actions={
        <Button loading={check.isPending} onClick={() => check.mutate()}>
          {t('links.check')}
        </Button>
      }
    >
      <div role="status">{progress && <p className="flush">{summary(progress)}</p>}</div>
      {progress && progress.links.length > 0 && (
        <ul className={styles.dead}>
          {progress.links.map(({ address, outcome, status, holders, total }) => (
            <li key={address}>
              <h3 className={styles.address}>
                <a href={address} rel="noreferrer" target="_blank">
                  <bdi dir="ltr">{address}</bdi>
                </a>
              </h3>
              <p className="flush quiet">
                {t(`links.outcomes.${outcome}`)}
                {status !== undefined && ` (${status})`}
              </p>
              <LinkHolders holders={holders} total={total} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )

  function summary({ checked, left, links }: Progress): string {
    if (left > 0) return t('links.progress', { checked, all: checked + left })
    return links.length === 0 ? t('links.foreignWell', { count: checked }) : t('links.foreignDone', { count: checked })
  }
}
