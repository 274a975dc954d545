import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ForeignLinks } from '../../../contract/links.ts'
import { api, parseResponse } from '../../client.ts'
import { notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { useText } from '../../i18n.ts'
import { LinkHolders } from './link-holder.tsx'
import styles from './links.module.css'

type Progress = Pick<ForeignLinks, 'links' | 'checked' | 'left'>

/** Links to other sites are requested only when somebody asks, a part at a time. */
export function ForeignLinksSection() {
  const t = useText()
  const [progress, setProgress] = useState<Progress>()
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])
  const check = useMutation({
    async mutationFn() {
      let all: Progress = { links: [], checked: 0, left: 0 }
      let next: string | null = ''
      while (next !== null && !left.current) {
        const part: ForeignLinks = await parseResponse(api.links.foreign.check.$post({ json: { after: next } }))
        all = { links: [...all.links, ...part.links], checked: all.checked + part.checked, left: part.left }
        setProgress(all)
        next = part.next
      }
    },
    onError: (error) => notifyFailure(t('links.notChecked'), error),
  })
  return (
    <Section
      title={t('links.foreign')}
      lead={t('links.foreignLead')}
      actions={
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
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
