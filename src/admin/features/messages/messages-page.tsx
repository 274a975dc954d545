import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Inbox, MailCheck, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { contactFormId } from '../../../contract/form-fields.ts'
import type { ListedMessage } from '../../../contract/messages.ts'
import { api, downloadFile } from '../../client.ts'
import { DownloadButton, IconButton, TextLink } from '../../components/buttons.tsx'
import { ChoiceGroup } from '../../components/choices.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment, numberText } from '../../components/dates.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { ListTools, NothingFound, SelectionBar, searchField, useSearchChange } from '../../components/list-tools.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, MailNotice } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { type Mark, useDeleteMessages, useMarkMessages } from './change-messages.ts'
import { NoteMark, StateBadge, UnreadMark } from './message-facts.tsx'
import styles from './messages.module.css'
import {
  inboxQuery,
  type MessageSearch,
  messageFilters,
  messageReadRights,
  messagesQuery,
  type View,
  views,
} from './messages.ts'

export function MessagesPage() {
  const t = useText()
  const maySee = useRight(...messageReadRights)
  const search = useSearch({ from: '/admin/messages' })
  const { data: inbox } = useQuery({ ...inboxQuery, enabled: maySee })
  const exportMessages = useMutation({
    mutationFn: () => downloadFile(api.messages.export.$get({ query: messageFilters(search) })),
    onError: (error) => notifyFailure(t('messages.notExported'), error),
  })
  const retentionDays = inbox?.forms.find(({ id }) => id === (search.form ?? contactFormId))?.retentionDays
  const retention = retentionDays && t('messages.retention', { count: retentionDays })
  return (
    <Page
      title={t('messages.title')}
      lead={[t('messages.lead'), retention].filter(Boolean).join(' ')}
      allowed={maySee}
      actions={<DownloadButton label={t('messages.export')} download={exportMessages} />}
    >
      <MailNotice />
      <MessageList search={search} />
    </Page>
  )
}

function MessageList({ search }: { search: MessageSearch }) {
  const t = useText()
  const mayWrite = useRight('messages.write')
  const query = useQuery(messagesQuery(search))
  const [selected, setSelected] = useState<ReadonlyMap<number, ListedMessage>>(new Map())
  const mark = useMarkMessages()
  const columns = useColumns()
  const change = useSearchChange<MessageSearch>('/admin/messages')
  // Clears the selection when the filters change, also by a link or the back button.
  const filters = JSON.stringify({ ...search, page: undefined })
  const [selectionFilters, setSelectionFilters] = useState(filters)
  if (selectionFilters !== filters) {
    setSelectionFilters(filters)
    setSelected(new Map())
  }
  const loadedById = new Map(query.data?.data.map((message) => [message.id, message]))

  return (
    <QueryList
      query={query}
      tools={
        <>
          <MessageTools search={search} change={change} />
          {selected.size > 0 && (
            <SelectedMessages
              // A colleague may have changed a message since it was selected.
              messages={[...selected.values()].map((message) => loadedById.get(message.id) ?? message)}
              mayWrite={mayWrite}
              done={() => setSelected(new Map())}
            />
          )}
        </>
      }
      empty={<NoResults search={search} clear={() => change({ search: undefined, form: undefined })} />}
      caption={t('messages.title')}
      columns={columns}
      nameOf={(message) => message.naam}
      sort={{ by: search.sort ?? '-createdAt', set: (sort) => change({ sort: sort as MessageSearch['sort'] }) }}
      selection={{ rows: selected, select: setSelected }}
      {...(mayWrite && {
        actions: (message: ListedMessage) => <SpamButton message={message} mark={mark} />,
      })}
    />
  )
}

/** The empty state of the list, which depends on the filters. */
function NoResults({ search, clear }: { search: MessageSearch; clear: () => void }) {
  const t = useText()
  const { view = 'inbox' } = search
  if (search.search || search.form) {
    return (
      <NothingFound
        title={t('messages.none')}
        text={t('messages.noneText')}
        clear={clear}
        {...(search.search && { label: t('messages.clear') })}
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
      label: t('messages.message'),
      wide: true,
      cell: (message) => (
        <span className={styles.excerpt} dir="auto">
          {message.excerpt}
        </span>
      ),
    },
    {
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
      label: t('messages.received'),
      sort: 'createdAt',
      cell: (message) => <Moment at={message.createdAt} />,
    },
  ]
}

function SpamButton({ message, mark }: { message: ListedMessage; mark: ReturnType<typeof useMarkMessages> }) {
  const t = useText()
  const isSpam = message.folder === 'spam'
  const label = t(isSpam ? 'messages.notSpamOne' : 'messages.spamOne', { name: message.naam })
  return (
    <IconButton
      label={label}
      icon={isSpam ? <Inbox /> : <ShieldAlert />}
      color={isSpam ? 'brand' : 'gray'}
      onClick={() => mark('spam', [message], !isSpam)}
    />
  )
}

/** Search and filters; their values are in the URL. */
function MessageTools(props: { search: MessageSearch; change: (changes: Partial<MessageSearch>) => void }) {
  const { search, change } = props
  const t = useText()
  const locale = useLocale()
  const { data: inbox } = useQuery(inboxQuery)
  const counts: Partial<Record<View, number>> = inbox
    ? { unread: inbox.unread, open: inbox.open, spam: inbox.spam }
    : {}
  const label = (view: View) => {
    const name = t(`messages.view.${view}`)
    const count = counts[view] ?? 0
    return count > 0 ? t('messages.counted', { view: name, number: numberText(count, locale) }) : name
  }
  return (
    <>
      <ChoiceGroup
        legend={<span className="visually-hidden">{t('messages.views')}</span>}
        options={views.map((view) => ({ value: view, label: label(view) }))}
        chosen={[search.view ?? 'inbox']}
        onChoose={([view]) => change({ view: view === 'inbox' ? undefined : view })}
      />
      {inbox && (inbox.forms.length > 1 || search.form) && (
        <NativeSelect
          aria-label={t('messages.forms')}
          value={search.form ?? ''}
          onChange={(event) => change({ form: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('messages.allForms') },
            ...inbox.forms.map(({ id, name }) => ({ value: id, label: name || t('messages.contactForm') })),
            // The API lists only forms that exist or have messages.
            ...(search.form && !inbox.forms.some(({ id }) => id === search.form)
              ? [{ value: search.form, label: t('messages.deletedForm') }]
              : []),
          ]}
        />
      )}
      <ListTools
        search={searchField(t('messages.search'), search, change)}
        sorting={{
          options: [
            { value: '-createdAt', label: t('messages.newest') },
            { value: 'createdAt', label: t('messages.oldest') },
          ],
          by: search.sort ?? '-createdAt',
          set: (sort) => change({ sort: sort as MessageSearch['sort'] }),
        }}
      />
    </>
  )
}

/** Actions on the selected messages. */
function SelectedMessages(props: { messages: ListedMessage[]; mayWrite: boolean; done: () => void }) {
  const { messages, mayWrite, done } = props
  const t = useText()
  const mark = useMarkMessages()
  const { remove, isPending } = useDeleteMessages()
  const setMark = (name: Mark, on: boolean) => {
    mark(name, messages, on)
    done()
  }
  const allSpam = messages.every(({ folder }) => folder === 'spam')
  return (
    <SelectionBar label={t('messages.many')} count={messages.length} done={done}>
      <Button onClick={() => setMark('read', true)}>{t('messages.markRead')}</Button>
      <Button onClick={() => setMark('read', false)}>{t('messages.markUnread')}</Button>
      {mayWrite && (
        <>
          {!allSpam && <Button onClick={() => setMark('answered', true)}>{t('messages.answeredElsewhere')}</Button>}
          <Button onClick={() => setMark('spam', !allSpam)}>{t(allSpam ? 'messages.notSpam' : 'messages.spam')}</Button>
          <Button
            className="danger"
            loading={isPending}
            onClick={() =>
              void remove(
                messages.map(({ id }) => id),
                done,
              )
            }
          >
            {t('form.delete')}
          </Button>
        </>
      )}
    </SelectionBar>
  )
}
