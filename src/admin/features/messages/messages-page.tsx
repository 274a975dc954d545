import { ActionIcon, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, Inbox, MailCheck, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { ListedMessage } from '../../../contract/messages.ts'
import { api } from '../../client.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { TextLink } from '../../components/link-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { tellFailure } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { saveFile } from '../../components/save-file.ts'
import { Empty, Failed, NoRight, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { isAt } from '../../search.ts'
import { useRight } from '../sign-in/me.ts'
import { useMarking } from './change-messages.ts'
import { ChosenMessages } from './chosen-messages.tsx'
import { NoteMark, StateBadge, UnreadMark } from './message-bits.tsx'
import { MessageTools } from './message-tools.tsx'
import styles from './messages.module.css'
import { inboxQuery, type MessageSearch, messageFilters, messagesQuery, toSeeMessages } from './messages.ts'

export function MessagesPage() {
  const t = useText()
  const maySee = useRight(...toSeeMessages)
  const search = useSearch({ from: '/admin/messages' })
  const { data: inbox } = useQuery({ ...inboxQuery, enabled: maySee })
  const save = useMutation({
    mutationFn: () => saveFile(api.messages.export.$get({ query: messageFilters(search) })),
    onError: (error) => tellFailure(t('messages.notExported'), error),
  })
  const kept = inbox && t('messages.kept', { count: inbox.retentionDays })
  return (
    <Page
      title={t('messages.title')}
      lead={[t('messages.lead'), kept].filter(Boolean).join(' ')}
      actions={
        maySee && (
          <Button
            variant="default"
            leftSection={<Download size={18} aria-hidden />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {t('messages.export')}
          </Button>
        )
      }
    >
      {maySee ? <MessageList search={search} /> : <NoRight />}
    </Page>
  )
}

function MessageList({ search }: { search: MessageSearch }) {
  const t = useText()
  const mayWrite = useRight('messages.write')
  const navigate = useNavigate({ from: '/admin/messages' })
  const { data, error, refetch, isPlaceholderData } = useQuery(messagesQuery(search))
  const [chosen, choose] = useState<ReadonlyMap<number, ListedMessage>>(new Map())
  const mark = useMarking()
  const columns = useColumns()
  const change = (changes: Partial<MessageSearch>) => {
    if (!isAt('/admin/messages')) return
    choose(new Map())
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true })
  }

  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <>
      <MessageTools search={search} change={change} />
      {chosen.size > 0 && (
        <ChosenMessages messages={[...chosen.values()]} mayWrite={mayWrite} done={() => choose(new Map())} />
      )}
      {!data && <Waiting />}
      {data?.data.length === 0 && <Nothing search={search} clear={() => change({ search: undefined })} />}
      {data && data.data.length > 0 && (
        <>
          <DataList
            caption={t('messages.title')}
            columns={columns}
            rows={data.data}
            nameOf={(message) => message.naam}
            sort={{ by: search.sort ?? '-createdAt', set: (sort) => change({ sort: sort as MessageSearch['sort'] }) }}
            chosen={{ rows: chosen, choose }}
            old={isPlaceholderData}
            {...(mayWrite && {
              actions: (message: ListedMessage) => <SpamButton message={message} mark={mark} />,
            })}
          />
          <Pager meta={data.meta} />
        </>
      )}
    </>
  )
}

/** An empty list says whether that is good, and what to do. */
function Nothing({ search, clear }: { search: MessageSearch; clear: () => void }) {
  const t = useText()
  const { view = 'inbox' } = search
  if (search.search) {
    return (
      <Empty
        title={t('messages.none')}
        text={t('messages.noneText')}
        action={
          <Button variant="default" onClick={clear}>
            {t('messages.clear')}
          </Button>
        }
      />
    )
  }
  if (view === 'spam')
    return <Empty icon={ShieldAlert} title={t('messages.emptySpam')} text={t('messages.emptySpamText')} />
  if (view === 'unread' || view === 'open') {
    return <Empty icon={MailCheck} title={t('messages.done')} text={t('messages.doneText')} />
  }
  return <Empty icon={Inbox} title={t('messages.empty')} text={t('messages.emptyText')} />
}

function useColumns(): Column<ListedMessage>[] {
  const t = useText()
  return [
    {
      key: 'from',
      label: t('messages.from'),
      cell: (message) => (
        <>
          <UnreadMark message={message} />
          <TextLink
            to="/admin/messages/$id"
            params={{ id: String(message.id) }}
            className={styles.sender ?? ''}
            data-unread={message.readAt ? undefined : true}
          >
            <bdi>{message.naam}</bdi>
          </TextLink>
          <div className="quiet small">
            <bdi dir="ltr">{message.email}</bdi>
          </div>
        </>
      ),
    },
    {
      key: 'message',
      label: t('messages.message'),
      wide: true,
      cell: (message) => (
        <span className={styles.excerpt} dir="auto">
          {message.excerpt}
        </span>
      ),
    },
    {
      key: 'status',
      label: t('messages.status'),
      cell: (message) => (
        <span className="row">
          <StateBadge message={message} />
          <NoteMark message={message} />
        </span>
      ),
    },
    {
      key: 'received',
      label: t('messages.received'),
      sort: 'createdAt',
      cell: (message) => <Moment at={message.createdAt} />,
    },
  ]
}

function SpamButton({ message, mark }: { message: ListedMessage; mark: ReturnType<typeof useMarking> }) {
  const t = useText()
  const spam = message.folder === 'spam'
  const label = t(spam ? 'messages.notSpamOne' : 'messages.spamOne', { name: message.naam })
  return (
    <ActionIcon
      aria-label={label}
      title={label}
      color={spam ? 'brand' : 'gray'}
      onClick={() => mark('spam', [message], !spam)}
    >
      {spam ? <Inbox size={20} aria-hidden /> : <ShieldAlert size={20} aria-hidden />}
    </ActionIcon>
  )
}
