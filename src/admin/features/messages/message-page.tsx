import { Alert, Anchor, Button, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Inbox, MailOpen, MailWarning, ShieldAlert, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { longDate } from '../../../contract/intl-formats.ts'
import { languageName } from '../../../contract/locales.ts'
import type { Message } from '../../../contract/messages.ts'
import { api, parseResponse } from '../../client.ts'
import { Moment, numberText } from '../../components/dates.tsx'
import { UnsavedChangesGuard } from '../../components/dialog.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { SaveBar } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { Facts, Section, TwoColumns } from '../../components/page.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { Bounce } from '../outbox/bounce.tsx'
import { useRight } from '../sign-in/me.ts'
import { useDeleteMessages, useMarkMessages } from './change-messages.ts'
import { EmailLink, StateBadge, TelLink, VisitorText } from './message-facts.tsx'
import styles from './messages.module.css'
import { messageQuery, messageReadRights } from './messages.ts'
import { hasNoReplyText, ReplyForm, ReplyList } from './replies.tsx'

/** The screen of one message with replies, an internal note and actions. */
export function MessagePage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/messages/$id' })
  const maySee = useRight(...messageReadRights)
  const query = useQuery({ ...messageQuery(Number(id)), enabled: maySee })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const loaded = query.data
  // An email links to the reference of a message, which the API accepts too: the screen then continues under the id.
  useEffect(() => {
    if (!loaded || String(loaded.id) === id) return
    queries.setQueryData(messageQuery(loaded.id).queryKey, loaded)
    void navigate({ to: '/admin/messages/$id', params: { id: String(loaded.id) }, replace: true, ignoreBlocker: true })
  }, [loaded, id, navigate, queries])
  return (
    <RecordPage
      query={query}
      maySee={maySee}
      nameOf={(message) => message.naam}
      title={t('messages.message')}
      back={{ to: '/admin/messages', label: t('messages.title') }}
      actions={(message) => <Actions message={message} />}
    >
      {(message) => <MessageView key={message.id} message={message} />}
    </RecordPage>
  )
}

function MessageView({ message }: { message: Message }) {
  const t = useText()
  const locale = useLocale()
  useMarkAsRead(message)
  // The state is here and not in the form, which is not rendered while the message is in spam.
  const [reply, setReply] = useState(message.replyStart)
  const { spamReason } = message
  const reason =
    spamReason === 'honeypot' || spamReason === 'staff' || spamReason === 'suspected' ? spamReason : 'other'
  return (
    <TwoColumns
      main={
        <>
          {message.folder === 'spam' && (
            <Alert icon={<ShieldAlert />} title={t('messages.inSpam')}>
              {t(`messages.spamReason.${reason}`, {
                count: message.spamReasons.reduce((total, { points }) => total + points, 0),
              })}
              {reason === 'suspected' && <SpamReasons reasons={message.spamReasons} />}
            </Alert>
          )}
          {message.bounces.length > 0 && (
            <Alert
              color="red"
              icon={<MailWarning />}
              title={t(
                message.bounces.some(({ action }) => action === 'failed') ? 'messages.bounced' : 'messages.delayed',
              )}
            >
              {message.bounces.map(({ recipient, ...bounce }) => (
                <div key={`${recipient} ${bounce.at}`}>
                  <EmailAddress email={recipient} />
                  <Bounce {...bounce} />
                </div>
              ))}
            </Alert>
          )}
          {message.form.name === '' ? (
            <Section title={t('messages.message')}>
              <VisitorText text={message.bericht} />
            </Section>
          ) : (
            <Section title={t('messages.answersTo', { name: message.form.name })}>
              <Facts
                facts={message.answers.map(({ field, kind, label, text }) => ({
                  label,
                  value:
                    kind === 'files' ? (
                      <FileLinks message={message} field={field} />
                    ) : (
                      <VisitorText text={kind === 'date' ? longDate(text, locale) : text} />
                    ),
                }))}
              />
            </Section>
          )}
          {message.replies.length > 0 && <ReplyList replies={message.replies} />}
          <UnsavedChangesGuard when={!hasNoReplyText(reply, message)} />
          {message.can.change && message.folder === 'inbox' && (
            <ReplyForm message={message} text={reply} setText={setReply} />
          )}
        </>
      }
      aside={
        <>
          <MessageFacts message={message} />
          {(message.can.change || message.hasNote) && <NoteForm message={message} />}
        </>
      }
    />
  )
}

/** The rules that a suspected message met, with their points. */
function SpamReasons({ reasons }: { reasons: Message['spamReasons'] }) {
  const t = useText()
  return (
    <ul>
      {reasons.map(({ rule, points, text }) => (
        <li key={`${rule} ${text}`}>
          {t(`messages.spamRules.${rule}`)}
          {text !== undefined && (
            <>
              {' '}
              <q>
                <bdi>{text}</bdi>
              </q>
            </>
          )}
          : {t('messages.spamPoints', { count: points })}
        </li>
      ))}
    </ul>
  )
}

/** Download links of the files of one form field. */
function FileLinks({ message, field }: { message: Message; field: string }) {
  return (
    <ul className="plain-list">
      {message.files
        .filter((file) => file.field === field)
        .map(({ id, name }) => (
          <li key={id}>
            <Anchor href={`/api/messages/${message.id}/files/${id}`} download inherit>
              <bdi>{name}</bdi>
            </Anchor>
          </li>
        ))}
    </ul>
  )
}

/** Marks a message as read when it is opened; only once, so that it can be marked as unread again. */
function useMarkAsRead(message: Message): void {
  const mark = useMarkMessages()
  const wasMarked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the message is opened
  useEffect(() => {
    if (wasMarked.current || message.readAt) return
    wasMarked.current = true
    mark('read', [message], true, 'silent')
  }, [message.id])
}

function Actions({ message }: { message: Message }) {
  const t = useText()
  const navigate = useNavigate()
  const mark = useMarkMessages()
  const { remove, isPending } = useDeleteMessages()
  const leave = () => navigate({ to: '/admin/messages' })
  const isSpam = message.folder === 'spam'
  return (
    <>
      <Button
        leftSection={<MailOpen />}
        onClick={() => {
          // As read, because the loaded message may still be unread, and would be skipped.
          mark('read', [{ ...message, readAt: message.createdAt }], false)
          void leave()
        }}
      >
        {t('messages.markUnread')}
      </Button>
      {message.can.change && (
        <>
          <Button leftSection={isSpam ? <Inbox /> : <ShieldAlert />} onClick={() => mark('spam', [message], !isSpam)}>
            {t(isSpam ? 'messages.notSpam' : 'messages.spam')}
          </Button>
          <Button
            className="danger"
            leftSection={<Trash2 />}
            loading={isPending}
            onClick={() => void remove([message.id], () => navigate({ to: '/admin/messages', ignoreBlocker: true }))}
          >
            {t('form.delete')}
          </Button>
        </>
      )}
    </>
  )
}

/** The sender, the times and the state of a message, and when it will be deleted. */
function MessageFacts({ message }: { message: Message }) {
  const t = useText()
  const locale = useLocale()
  const mark = useMarkMessages()
  const isAnswered = message.answeredAt !== null
  return (
    <Section title={t('messages.about')}>
      <Facts
        facts={[
          { label: t('messages.status'), value: <StateBadge message={message} /> },
          { label: t('messages.email'), value: <EmailLink email={message.email} /> },
          ...(message.tel ? [{ label: t('messages.tel'), value: <TelLink tel={message.tel} /> }] : []),
          { label: t('messages.received'), value: <Moment at={message.createdAt} /> },
          {
            label: t('messages.answeredAt'),
            value: message.answeredAt ? <Moment at={message.answeredAt} /> : t('messages.notYet'),
          },
          { label: t('messages.language'), value: languageName(message.locale) },
          { label: t('messages.reference'), value: numberText(message.reference, locale, { grouped: false }) },
          { label: t('messages.retainedUntil'), value: <Moment at={message.keptUntil} day /> },
        ]}
      />
      {message.can.change && message.folder === 'inbox' && (
        <Button onClick={() => mark('answered', [message], !isAnswered)}>
          {t(isAnswered ? 'messages.toAnswer' : 'messages.answeredElsewhere')}
        </Button>
      )}
    </Section>
  )
}

/** An internal note about a message. */
function NoteForm({ message }: { message: Message }) {
  const t = useText()
  const queries = useQueryClient()
  const versionedForm = useVersionedForm<Message, { note: string }>({
    entity: message,
    valuesOf: (stored) => ({ note: stored?.note ?? '' }),
    save: ({ note }, base) =>
      parseResponse(
        api.messages[':id'].$put({
          param: { id: String(message.id) },
          json: { note, ...(base && { version: base.version }) },
        }),
      ),
    onSaved(saved) {
      notify(t('messages.note.saved'))
      queries.setQueryData(messageQuery(message.id).queryKey, saved)
      void queries.invalidateQueries({ queryKey: ['messages', 'list'] })
    },
  })
  const { form, dirty } = versionedForm
  const differences = (theirs: Message) => [
    { label: t('messages.note.title'), mine: form.getValues().note, theirs: theirs.note },
  ]
  return (
    <Section title={t('messages.note.title')}>
      <VersionedFormFrame
        versionedForm={versionedForm}
        notSaved={t('messages.note.notSaved')}
        differences={differences}
      >
        <Textarea
          aria-label={t('messages.note.title')}
          description={t('messages.note.help')}
          classNames={{ input: styles.typed }}
          rows={4}
          resize="vertical"
          disabled={!message.can.change}
          {...form.getInputProps('note')}
        />
        {message.can.change && dirty && <SaveBar saving={versionedForm.saving} />}
      </VersionedFormFrame>
    </Section>
  )
}
