import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Eye, MailCheck, Mails, RotateCw } from 'lucide-react'
import type { EmailState, OutboxEmail } from '../../../contract/outbox.ts'
import { api, parseResponse } from '../../client.ts'
import { IconButton, LinkButton, TextLink } from '../../components/buttons.tsx'
import { ChoiceGroup } from '../../components/choices.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment, numberText } from '../../components/dates.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { ListTools, NothingFound, searchField, useSearchChange } from '../../components/list-tools.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, MailNotice, useSendsMail } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { Bounce } from './bounce.tsx'
import styles from './outbox.module.css'
import { filterStates, mailReadRights, type OutboxSearch, outboxCountsQuery, outboxQuery } from './outbox.ts'

export function OutboxPage() {
  const t = useText()
  const maySee = useRight(...mailReadRights)
  const search = useSearch({ from: '/admin/mail' })
  const { data: counts } = useQuery({ ...outboxCountsQuery, enabled: maySee })
  const retry = useRetry()
  return (
    <Page
      title={t('outbox.title')}
      lead={t('outbox.lead')}
      allowed={maySee}
      actions={
        <>
          {counts !== undefined && counts.failed > 0 && (
            <Button leftSection={<RotateCw />} loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
              {t('outbox.retryAll')}
            </Button>
          )}
          <LinkButton to="/admin/mail/letters" leftSection={<Eye />}>
            {t('outbox.previews.open')}
          </LinkButton>
        </>
      }
    >
      <MailNotice />
      <EmailList search={search} retry={retry} />
    </Page>
  )
}

/** A mutation that retries emails: those with the ids, or without ids all that failed. */
function useRetry() {
  const t = useText()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (ids: number[] | undefined) => parseResponse(api.outbox.retry.$post({ json: ids ? { ids } : {} })),
    onSuccess: ({ retried }) => notify(retried > 0 ? t('outbox.retried', { count: retried }) : t('outbox.retriedNone')),
    onError: (error) => notifyFailure(t('outbox.notRetried'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['outbox'] }),
  })
}

function EmailList({ search, retry }: { search: OutboxSearch; retry: ReturnType<typeof useRetry> }) {
  const t = useText()
  const query = useQuery(outboxQuery(search))
  const columns = useColumns()
  const change = useSearchChange<OutboxSearch>('/admin/mail')

  return (
    <QueryList
      query={query}
      tools={<OutboxTools search={search} change={change} />}
      empty={<NoResults search={search} clear={() => change({ search: undefined })} />}
      caption={t('outbox.title')}
      columns={columns}
      nameOf={(email) => email.recipient}
      sort={{ by: search.sort ?? '-createdAt', set: (sort) => change({ sort: sort as OutboxSearch['sort'] }) }}
      actions={(email) => email.can.retry && <RetryButton email={email} retry={retry} />}
    />
  )
}

/** The empty state of the list, which depends on the filters. */
function NoResults({ search, clear }: { search: OutboxSearch; clear: () => void }) {
  const t = useText()
  if (search.search) {
    return <NothingFound title={t('outbox.none')} text={t('outbox.noneText')} clear={clear} label={t('outbox.clear')} />
  }
  if (search.state === 'waiting') {
    return <Empty icon={MailCheck} title={t('outbox.emptyWaiting')} text={t('outbox.emptyWaitingText')} />
  }
  if (search.state === 'failed') {
    return <Empty icon={MailCheck} title={t('outbox.emptyFailed')} text={t('outbox.emptyFailedText')} />
  }
  return <Empty icon={Mails} title={t('outbox.empty')} text={t('outbox.emptyText')} />
}

function useColumns(): Column<OutboxEmail>[] {
  const t = useText()
  return [
    {
      label: t('outbox.to'),
      cell: (email) => (
        <>
          <span className={styles.recipient}>
            <EmailAddress email={email.recipient} />
          </span>
          <div className="quiet small">{email.label}</div>
        </>
      ),
    },
    { label: t('outbox.about'), cell: (email) => <SubjectLink subject={email.about} /> },
    { label: t('outbox.status'), wide: true, cell: (email) => <DeliveryState email={email} /> },
    {
      label: t('outbox.when'),
      sort: 'createdAt',
      cell: (email) => <Moment at={email.sentAt ?? email.createdAt} />,
    },
  ]
}

/** A link to the message or the user that an email is about; nothing if it is about neither. */
function SubjectLink({ subject }: { subject: OutboxEmail['about'] }) {
  const t = useText()
  const locale = useLocale()
  if (subject?.type === 'message') {
    return (
      <TextLink to="/admin/messages/$id" params={{ id: String(subject.id) }}>
        {t('outbox.message', { number: numberText(subject.reference ?? subject.id, locale, { grouped: false }) })}
      </TextLink>
    )
  }
  if (subject?.type === 'user') {
    return (
      <TextLink to="/admin/users/$id" params={{ id: String(subject.id) }}>
        {t('outbox.user')}
      </TextLink>
    )
  }
  return null
}

const colors = { waiting: 'gray', failed: 'red', sent: 'brand', file: 'gray' } as const

/** The delivery state of an email, with the unchanged response of the mail server. */
function DeliveryState({ email }: { email: OutboxEmail }) {
  const t = useText()
  const sendsMail = useSendsMail()
  const { state, reason, nextAttemptAt, attempts } = email
  const isUndelivered = state === 'failed' || (state === 'file' && sendsMail)
  return (
    <>
      <Badge color={colors[state]}>{t(`outbox.state.${state}`)}</Badge>
      {reason && (
        <p className={styles.reason} dir="auto">
          {reason}
        </p>
      )}
      {email.bounce && <Bounce {...email.bounce} />}
      {isUndelivered && !email.can.retry && <p className="quiet small flush">{t('outbox.secretErased')}</p>}
      {(state === 'waiting' || state === 'failed') && attempts > 0 && (
        <p className="quiet small flush">
          {t('outbox.tries', { count: attempts })}
          {nextAttemptAt && reason && (
            <>
              {' · '}
              <Translated text="outbox.nextTry" date={<Moment at={nextAttemptAt} />} />
            </>
          )}
        </p>
      )}
    </>
  )
}

function RetryButton({ email, retry }: { email: OutboxEmail; retry: ReturnType<typeof useRetry> }) {
  const t = useText()
  const label = t('outbox.retryOne', { email: email.recipient })
  return <IconButton label={label} icon={<RotateCw />} color="brand" onClick={() => retry.mutate([email.id])} />
}

/** Search and filters; their values are in the URL. */
function OutboxTools(props: { search: OutboxSearch; change: (changes: Partial<OutboxSearch>) => void }) {
  const { search, change } = props
  const t = useText()
  const locale = useLocale()
  const { data: counts } = useQuery(outboxCountsQuery)
  const sendsMail = useSendsMail()
  /** Without a mail server emails get the state `file`, not `sent`. The other one is offered if an email has it. */
  const isOffered = (state: EmailState) => {
    if (state === 'waiting' || state === 'failed' || state === search.state) return true
    const isUsualState = state === (sendsMail ? 'sent' : 'file')
    return isUsualState || (counts?.[state] ?? 0) > 0
  }
  const label = (state: (typeof filterStates)[number]) => {
    const name = t(`outbox.state.${state}`)
    const count = counts?.[state] ?? 0
    return count > 0 ? t('outbox.counted', { state: name, number: numberText(count, locale) }) : name
  }
  return (
    <>
      <ChoiceGroup
        legend={<span className="visually-hidden">{t('outbox.states')}</span>}
        options={[
          { value: 'all', label: t('outbox.state.all') },
          ...filterStates.filter(isOffered).map((state) => ({ value: state, label: label(state) })),
        ]}
        chosen={[search.state ?? 'all']}
        onChoose={([state]) => change({ state: state === 'all' ? undefined : (state as OutboxSearch['state']) })}
      />
      <ListTools
        search={searchField(t('outbox.search'), search, change)}
        sorting={{
          options: [
            { value: '-createdAt', label: t('outbox.newest') },
            { value: 'createdAt', label: t('outbox.oldest') },
          ],
          by: search.sort ?? '-createdAt',
          set: (sort) => change({ sort: sort as OutboxSearch['sort'] }),
        }}
      />
    </>
  )
}
