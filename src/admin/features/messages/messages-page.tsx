import { ActionIcon } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Inbox, MailCheck, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { ListedMessage } from '../../../contract/messages.ts'
import { api, saveFile } from '../../client.ts'
import { DownloadButton, TextLink } from '../../components/buttons.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment } from '../../components/dates.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { NothingFound, useSearchChange } from '../../components/list-tools.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, NoMailServer, NoRight } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { useMarkMessages } from './change-messages.ts'
import { NoteMark, StateBadge, UnreadMark } from './message-bits.tsx'
import { ChosenMessages, MessageTools } from './message-tools.tsx'
import styles from './messages.module.css'
import { inboxQuery, type MessageSearch, messageFilters, messageReadRights, messagesQuery } from './messages.ts'

export function MessagesPage() {
  const t = useText()
  const maySee = useRight(...messageReadRights)
  const search = useSearch({ from: '/admin/messages' })
  const { data: inbox } = useQuery({ ...inboxQuery, enabled: maySee })
  const save = useMutation({
    mutationFn: () => saveFile(api.messages.export.$get({ query: messageFilters(search) })),
    onError: (error) => notifyFailure(t('messages.notExported'), error),
  })
  const retention = inbox && t('messages.retention', { count: inbox.retentionDays })
  return (
    <Page
      title={t('messages.title')}
      lead={[t('messages.lead'), retention].filter(Boolean).join(' ')}
      actions={maySee && <DownloadButton label={t('messages.export')} download={save} />}
    >
      {maySee && <NoMailServer />}
      {maySee ? <MessageList search={search} /> : <NoRight />}
    </Page>
  )
}

function MessageList({ search }: { search: MessageSearch }) {
  const t = useText()
  const mayWrite = useRight('messages.write')
  const query = useQuery(messagesQuery(search))
  const [chosen, choose] = useState<ReadonlyMap<number, ListedMessage>>(new Map())
  const mark = useMarkMessages()
  const columns = useColumns()
  const changeSearch = useSearchChange<MessageSearch>('/admin/messages')
  const change: typeof changeSearch = (changes) => {
    choose(new Map())
    changeSearch(changes)
  }

  return (
    <QueryList
      query={query}
      tools={
        <>
          <MessageTools search={search} change={change} />
          {chosen.size > 0 && (
            <ChosenMessages messages={[...chosen.values()]} mayWrite={mayWrite} done={() => choose(new Map())} />
          )}
        </>
      }
      empty={<NoResults search={search} clear={() => change({ search: undefined })} />}
      caption={t('messages.title')}
      columns={columns}
      nameOf={(message) => message.naam}
      sort={{ by: search.sort ?? '-createdAt', set: (sort) => change({ sort: sort as MessageSearch['sort'] }) }}
      selection={{ rows: chosen, choose }}
      {...(mayWrite && {
        actions: (message: ListedMessage) => <SpamButton message={message} mark={mark} />,
      })}
    />
  )
}

/** The empty state depends on the filters. */
function NoResults({ search, clear }: { search: MessageSearch; clear: () => void }) {
  const t = useText()
  const { view = 'inbox' } = search
  if (search.search) {
    return (
      <NothingFound
        title={t('messages.none')}
        text={t('messages.noneText')}
        clear={clear}
        label={t('messages.clear')}
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
            <EmailAddress email={message.email} />
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
          {message.form.name !== '' && <bdi className="quiet small">{message.form.name}</bdi>}
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

function SpamButton({ message, mark }: { message: ListedMessage; mark: ReturnType<typeof useMarkMessages> }) {
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
