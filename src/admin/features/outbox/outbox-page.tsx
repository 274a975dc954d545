import { ActionIcon, Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Eye, MailCheck, Mails, RotateCw } from 'lucide-react'
import type { OutboxLetter } from '../../../contract/outbox.ts'
import { answer, api } from '../../client.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { numberText } from '../../components/dates.ts'
import { LinkButton, TextLink } from '../../components/link-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { Said } from '../../components/said.tsx'
import { Empty, Failed, NoRight, Waiting } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { isAt } from '../../search.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './outbox.module.css'
import { countsQuery, type OutboxSearch, outboxQuery, toSeeMail } from './outbox.ts'
import { OutboxTools } from './outbox-tools.tsx'

export function OutboxPage() {
  const t = useText()
  const maySee = useRight(...toSeeMail)
  const search = useSearch({ from: '/admin/mail' })
  const { data: counts } = useQuery({ ...countsQuery, enabled: maySee })
  const retry = useRetry()
  return (
    <Page
      title={t('outbox.title')}
      lead={t('outbox.lead')}
      actions={
        maySee && (
          <>
            {counts !== undefined && counts.failed > 0 && (
              <Button
                variant="default"
                leftSection={<RotateCw size={18} aria-hidden />}
                loading={retry.isPending}
                onClick={() => retry.mutate(undefined)}
              >
                {t('outbox.retryAll')}
              </Button>
            )}
            <LinkButton to="/admin/mail/letters" variant="default" leftSection={<Eye size={18} aria-hidden />}>
              {t('outbox.letters.open')}
            </LinkButton>
          </>
        )
      }
    >
      {maySee ? <LetterList search={search} retry={retry} /> : <NoRight />}
    </Page>
  )
}

/** Sends letters once more: the named ones, or all that were given up. */
function useRetry() {
  const t = useText()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (ids: number[] | undefined) => answer(api.outbox.retry.$post({ json: ids ? { ids } : {} })),
    onSuccess: ({ retried }) => tell(retried > 0 ? t('outbox.retried', { count: retried }) : t('outbox.retriedNone')),
    onError: (error) => tellFailure(t('outbox.notRetried'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['outbox'] }),
  })
}

function LetterList({ search, retry }: { search: OutboxSearch; retry: ReturnType<typeof useRetry> }) {
  const t = useText()
  const navigate = useNavigate({ from: '/admin/mail' })
  const { data, error, refetch, isPlaceholderData } = useQuery(outboxQuery(search))
  const columns = useColumns()
  const change = (changes: Partial<OutboxSearch>) => {
    if (!isAt('/admin/mail')) return
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true })
  }

  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <>
      <OutboxTools search={search} change={change} />
      {!data && <Waiting />}
      {data?.data.length === 0 && <Nothing search={search} clear={() => change({ search: undefined })} />}
      {data && data.data.length > 0 && (
        <>
          <DataList
            caption={t('outbox.title')}
            columns={columns}
            rows={data.data}
            nameOf={(letter) => letter.recipient}
            sort={{ by: search.sort ?? '-createdAt', set: (sort) => change({ sort: sort as OutboxSearch['sort'] }) }}
            old={isPlaceholderData}
            actions={(letter) => letter.can.retry && <RetryButton letter={letter} retry={retry} />}
          />
          <Pager meta={data.meta} />
        </>
      )}
    </>
  )
}

/** An empty list says whether that is good, and what to do. */
function Nothing({ search, clear }: { search: OutboxSearch; clear: () => void }) {
  const t = useText()
  if (search.search) {
    return (
      <Empty
        title={t('outbox.none')}
        text={t('outbox.noneText')}
        action={
          <Button variant="default" onClick={clear}>
            {t('outbox.clear')}
          </Button>
        }
      />
    )
  }
  if (search.state === 'waiting') {
    return <Empty icon={MailCheck} title={t('outbox.emptyWaiting')} text={t('outbox.emptyWaitingText')} />
  }
  if (search.state === 'failed') {
    return <Empty icon={MailCheck} title={t('outbox.emptyFailed')} text={t('outbox.emptyFailedText')} />
  }
  return <Empty icon={Mails} title={t('outbox.empty')} text={t('outbox.emptyText')} />
}

function useColumns(): Column<OutboxLetter>[] {
  const t = useText()
  return [
    {
      key: 'to',
      label: t('outbox.to'),
      cell: (letter) => (
        <>
          <bdi dir="ltr" className={styles.recipient}>
            {letter.recipient}
          </bdi>
          <div className="quiet small">{letter.label}</div>
        </>
      ),
    },
    { key: 'about', label: t('outbox.about'), cell: (letter) => <About about={letter.about} /> },
    { key: 'status', label: t('outbox.status'), wide: true, cell: (letter) => <Fate letter={letter} /> },
    {
      key: 'when',
      label: t('outbox.when'),
      sort: 'createdAt',
      cell: (letter) => <Moment at={letter.sentAt ?? letter.createdAt} />,
    },
  ]
}

function About({ about }: Pick<OutboxLetter, 'about'>) {
  const t = useText()
  const locale = useLocale()
  if (about?.type === 'message') {
    return (
      <TextLink to="/admin/messages/$id" params={{ id: String(about.id) }}>
        {t('outbox.message', { number: numberText(about.id, locale, { grouped: false }) })}
      </TextLink>
    )
  }
  if (about?.type === 'user') {
    return (
      <TextLink to="/admin/users/$id" params={{ id: String(about.id) }}>
        {t('outbox.user')}
      </TextLink>
    )
  }
  return null
}

const colors = { waiting: 'gray', failed: 'red', sent: 'brand' } as const

/** Where a letter is; what a mail server said is shown as it said it. */
function Fate({ letter }: { letter: OutboxLetter }) {
  const t = useText()
  const { state, reason, nextAttemptAt, attempts } = letter
  return (
    <>
      <Badge size="lg" variant="light" color={colors[state]}>
        {t(`outbox.state.${state}`)}
      </Badge>
      {reason && (
        <p className={styles.reason} dir="auto">
          {reason}
        </p>
      )}
      {state === 'failed' && !letter.can.retry && <p className="quiet small flush">{t('outbox.lost')}</p>}
      {state !== 'sent' && attempts > 0 && (
        <p className="quiet small flush">
          {t('outbox.tries', { count: attempts })}
          {nextAttemptAt && reason && (
            <>
              {' · '}
              <Said text="outbox.nextTry" date={<Moment at={nextAttemptAt} />} />
            </>
          )}
        </p>
      )}
    </>
  )
}

function RetryButton({ letter, retry }: { letter: OutboxLetter; retry: ReturnType<typeof useRetry> }) {
  const t = useText()
  const label = t('outbox.retryOne', { email: letter.recipient })
  return (
    <ActionIcon aria-label={label} title={label} color="brand" onClick={() => retry.mutate([letter.id])}>
      <RotateCw size={20} aria-hidden />
    </ActionIcon>
  )
}
