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
 * In place of a screen or section: why loading failed, with a retry button, or that access is denied.
 * @param props.retry called by the button. The router, whose error component this is, calls it `reset`.
 */
export function ErrorState(props: { error: unknown; retry?: () => void; reset?: () => void; children?: ReactNode }) {
  const { error, retry, reset, children } = props
  const t = useText()
  if (isApiRefusal(error, 'not_allowed')) return <NotAllowed />
  const onRetry = retry ?? reset
  const problem = error instanceof ApiRefusal ? error.problem : undefined
  const isServerOrNetworkError = problem !== undefined || isUnreachable(error)
  const Icon = isServerOrNetworkError ? CloudOff : TriangleAlert
  return (
    <div className={styles.state} role="alert">
      <Icon size={36} strokeWidth={1.5} />
      <h2>{problem?.title || t('states.failed')}</h2>
      <p>{children || problem?.detail || t(isServerOrNetworkError ? 'states.unreachable' : 'states.broken')}</p>
      {onRetry && <Button onClick={onRetry}>{t('states.again')}</Button>}
    </div>
  )
}

/** In place of the data of a query that has none yet: a skeleton, or why loading failed with a retry button. */
export function LoadingOrError(props: { error: unknown; refetch: () => unknown; rows?: number }) {
  const { error, refetch, rows } = props
  return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading {...(rows && { rows })} />
}

/** A line with a text, such as why loading failed, and a retry button. */
export function InlineError({ text, retry }: { text: string; retry: () => void }) {
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

interface ErrorBoundaryProps {
  /** A change of this value clears the error. */
  resetKey?: unknown
  /** Rendered in place of the children. @param retry renders the children again */
  fallback: (error: unknown, retry: () => void) => ReactNode
  children: ReactNode
}

/** `caught` is an object, because `undefined` can be thrown too. */
type ErrorBoundaryState = { caught?: { error: unknown } | undefined }

/** Catches rendering errors of its children. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = {}

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } }
  }

  override componentDidUpdate(previousProps: ErrorBoundaryProps) {
    if (this.state.caught && previousProps.resetKey !== this.props.resetKey) this.#retry()
  }

  readonly #retry = () => this.setState({ caught: undefined })

  override render(): ReactNode {
    const { caught } = this.state
    return caught ? this.props.fallback(caught.error, this.#retry) : this.props.children
  }
}

export const sendsMailKey = ['sends-mail'] as const

/** Stores, at page load and after a change of the mail settings, whether a mail server is configured. */
export function storeSendsMail(queries: QueryClient, sendsMail: boolean): void {
  queries.setQueryDefaults(sendsMailKey, { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY })
  queries.setQueryData(sendsMailKey, sendsMail)
}

/** Whether a mail server is configured. */
export const useSendsMail = (): boolean =>
  useQuery<boolean>({ queryKey: sendsMailKey, queryFn: skipToken }).data ?? false

/** The problems that the last run of the health checks found; the page embeds its first data. */
export const problemsQuery = queryOptions({
  queryKey: ['health', 'problems'],
  queryFn: async (): Promise<HealthProblems> => parseResponse(api.health.problems.$get()),
  staleTime: 60_000,
})

/** A warning on screens that involve email, when no mail server is configured or emails are not being sent. */
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
  const { mail: mailProblem, lines: results } = problems
  const checkName = mailProblem === 'server' ? 'mailServer' : 'emails'
  const result = results?.find(({ check }) => check === checkName)
  let remedy: ReactNode = t('form.mailProblems.ask')
  if (mailProblem === 'waiting' && may('mail.read')) remedy = link('/admin/mail', t('form.mailProblems.showWaiting'))
  else if (may('config.write')) remedy = link('/admin/config/mail', t('form.mailProblems.set'))
  return (
    <Alert color="red" icon={<MailX />} title={t(`form.mailProblems.${mailProblem}`)}>
      {result?.text ?? t(`form.mailProblems.${mailProblem}Text`)} {t('form.mailProblems.retries')} {remedy}
    </Alert>
  )
}
