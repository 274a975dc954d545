import { Alert, Button, Skeleton } from '@mantine/core'
import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { CloudOff, Inbox, LockKeyhole, type LucideIcon, MailX, TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import type { HealthProblems } from '../../contract/health.ts'
import { hasRight, type Right, type RightsHolder } from '../../contract/rights.ts'
import { ApiRefusal, api, isApiRefusal, isUnreachable, parseResponse } from '../client.ts'
import { useText } from '../i18n.ts'
import { TextLink } from './buttons.tsx'
import styles from './states.module.css'

/** A skeleton while content loads. */
export function Loading({ rows = 6 }: { rows?: number }) {
  const t = useText()
  return (
    <div className={styles.waiting} role="status" aria-label={t('states.waiting')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the elements are identical
        <Skeleton key={index} height={index === 0 ? 44 : 56} radius="sm" />
      ))}
    </div>
  )
}

/** An empty state: what the list is for, and what to do next. */
export function Empty(props: { icon?: LucideIcon; title: string; text?: ReactNode; action?: ReactNode }) {
  const { icon: Icon = Inbox, title, text, action } = props
  return (
    <div className={styles.state}>
      <Icon size={36} strokeWidth={1.5} />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {action}
    </div>
  )
}

/**
 * Shows why loading failed with a retry button, or that access is denied. Programming errors are not reported as
 * network errors.
 */
export function Failed(props: { error: unknown; retry?: () => void; reset?: () => void; children?: ReactNode }) {
  const { error, retry, reset, children } = props
  const t = useText()
  if (isApiRefusal(error, 'not_allowed')) return <NotAllowed />
  const tryAgain = retry ?? reset
  const problem = error instanceof ApiRefusal ? error.problem : undefined
  const away = problem !== undefined || isUnreachable(error)
  const Icon = away ? CloudOff : TriangleAlert
  return (
    <div className={styles.state} role="alert">
      <Icon size={36} strokeWidth={1.5} />
      <h2>{problem?.title || t('states.failed')}</h2>
      <p>{children || problem?.detail || t(away ? 'states.unreachable' : 'states.broken')}</p>
      {tryAgain && <Button onClick={tryAgain}>{t('states.again')}</Button>}
    </div>
  )
}

/** Instead of data that a query does not have: loading, or why it failed. */
export function Unloaded(props: { error: unknown; refetch: () => unknown; rows?: number }) {
  const { error, refetch, rows } = props
  return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading {...(rows && { rows })} />
}

/** The same as `Failed` in one line, for a part of a screen. */
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

export function NotAllowed() {
  const t = useText()
  return <Empty icon={LockKeyhole} title={t('states.noRight')} text={t('states.noRightText')} />
}

interface Props {
  /** A change of this value clears the error. */
  resetKey?: unknown
  /** Rendered instead of the children. @param again renders the children again */
  fallback: (error: unknown, again: () => void) => ReactNode
  children: ReactNode
}

/** Catches rendering errors of its children. */
export class ErrorBoundary extends Component<Props, { failed?: { error: unknown } | undefined }> {
  override state: { failed?: { error: unknown } | undefined } = {}

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } }
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.resetKey !== this.props.resetKey) this.#retry()
  }

  readonly #retry = () => this.setState({ failed: undefined })

  override render(): ReactNode {
    const { failed } = this.state
    return failed ? this.props.fallback(failed.error, this.#retry) : this.props.children
  }
}

export const sendsMailKey = ['sends-mail'] as const

/** Stores whether there is a mail server: as of the page's load, and later as set. */
export function storeSendsMail(queries: QueryClient, sendsMail: boolean): void {
  queries.setQueryDefaults(sendsMailKey, { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY })
  queries.setQueryData(sendsMailKey, sendsMail)
}

/** Whether there is a mail server. */
export const useSendsMail = (): boolean =>
  useQuery<boolean>({ queryKey: sendsMailKey, queryFn: skipToken }).data ?? false

/** The problems that the last check run found: as of the page's load, and since. */
export const problemsQuery = queryOptions({
  queryKey: ['health', 'problems'],
  queryFn: async (): Promise<HealthProblems> => parseResponse(api.health.problems.$get()),
  staleTime: 60_000,
})

/** A warning on screens that involve email, while no mail server is configured or email does not leave. */
export function MailNotice() {
  const t = useText()
  const queries = useQueryClient()
  const { data: problems } = useQuery(problemsQuery)
  const sendsMail = useSendsMail()
  const may = (right: Right) => hasRight(queries.getQueryData<RightsHolder>(['me']), [right])
  const link = (to: '/admin/config/mail' | '/admin/mail', text: string) => (
    <TextLink to={to} c="inherit" underline="always">
      {text}
    </TextLink>
  )
  if (!sendsMail) {
    return (
      <Alert icon={<MailX />} title={t('form.noMail.title')}>
        {t('form.noMail.text')} {may('config.write') && link('/admin/config/mail', t('form.noMail.set'))}
      </Alert>
    )
  }
  if (!problems?.mail) return null
  const { mail, lines } = problems
  const line = lines?.find(({ check }) => check === (mail === 'server' ? 'mailServer' : 'emails'))
  return (
    <Alert color="red" icon={<MailX />} title={t(`form.mailProblems.${mail}`)}>
      {line?.text ?? t(`form.mailProblems.${mail}Text`)} {t('form.mailProblems.retries')}{' '}
      {mail === 'waiting' && may('mail.read')
        ? link('/admin/mail', t('form.mailProblems.showWaiting'))
        : may('config.write')
          ? link('/admin/config/mail', t('form.mailProblems.set'))
          : t('form.mailProblems.ask')}
    </Alert>
  )
}
