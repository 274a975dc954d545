import { Button, Skeleton } from '@mantine/core'
import { CloudOff, Compass, Inbox, LockKeyhole, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isRefused, isUnreachable, Refused } from '../client.ts'
import { useText } from '../i18n.ts'
import { Page } from './page.tsx'
import styles from './states.module.css'

/** Where the work will stand, while it is on its way. */
export function Waiting({ rows = 6 }: { rows?: number }) {
  const t = useText()
  return (
    <div className={styles.waiting} role="status" aria-label={t('states.waiting')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={index === 0 ? 44 : 56} radius="sm" />
      ))}
    </div>
  )
}

/** An empty list says what it is for, and what to do next. */
export function Empty(props: { icon?: LucideIcon; title: string; text?: ReactNode; action?: ReactNode }) {
  const { icon: Icon = Inbox, title, text, action } = props
  return (
    <div className={styles.state}>
      <Icon size={36} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {action}
    </div>
  )
}

/** What failed, why, and a way to try again; who may not see it is told so. An error of our own is not the network's. */
export function Failed(props: { error: unknown; retry?: () => void; reset?: () => void; children?: ReactNode }) {
  const { error, retry, reset, children } = props
  const t = useText()
  if (isRefused(error, 'not_allowed')) return <NoRight />
  const again = retry ?? reset
  const problem = error instanceof Refused ? error.problem : undefined
  const away = problem !== undefined || isUnreachable(error)
  const Icon = away ? CloudOff : TriangleAlert
  return (
    <div className={styles.state} role="alert">
      <Icon size={36} strokeWidth={1.5} aria-hidden />
      <h2>{problem?.title || t('states.failed')}</h2>
      <p>{children || problem?.detail || t(away ? 'states.unreachable' : 'states.broken')}</p>
      {again && (
        <Button variant="default" onClick={again}>
          {t('states.again')}
        </Button>
      )}
    </div>
  )
}

/** The same in a line, for a part of a screen that does without it. */
export function NotLoaded({ text, retry }: { text: string; retry: () => void }) {
  const t = useText()
  return (
    <p role="alert" className={styles.notLoaded}>
      {text}{' '}
      <button type="button" className="as-link" onClick={retry}>
        {t('states.again')}
      </button>
    </p>
  )
}

export function NoRight() {
  const t = useText()
  return <Empty icon={LockKeyhole} title={t('states.noRight')} text={t('states.noRightText')} />
}

/** The specification gives the title in English, for every visitor. */
export function NotFound() {
  const t = useText()
  return (
    <Page
      title="Page Not Found"
      heading={<span lang="en">Page Not Found</span>}
      back={{ to: '/user', label: t('shell.overview') }}
    >
      <Empty icon={Compass} title={t('states.notFound')} text={t('states.notFoundText')} />
    </Page>
  )
}
