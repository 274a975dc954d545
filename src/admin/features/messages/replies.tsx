import { Alert, Badge, Button, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import type { Message, MessageReply } from '../../../contract/messages.ts'
import { ApiRefusal, api, isApiRefusal, parseResponse } from '../../client.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { focusFirstError, SaveFailure } from '../../components/form.tsx'
import { notify, notifyWarning } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { MailNotice, useSendsMail } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { mailReadRights } from '../outbox/outbox.ts'
import { useRight } from '../sign-in/me.ts'
import { VisitorText } from './message-facts.tsx'
import styles from './messages.module.css'
import { messageQuery } from './messages.ts'

/** The form to reply to the visitor. If a colleague has replied meanwhile, it shows that reply and does not send. */
export function ReplyForm(props: { message: Message; text: string; setText: (text: string) => void }) {
  const { message, text, setText } = props
  const t = useText()
  const queries = useQueryClient()
  const sendsMail = useSendsMail()
  const dir = useContentDirection(message.locale)
  const [base, setBase] = useState({ version: message.version, replies: message.replies.length })
  const [textError, setTextError] = useState<string>()
  const { queryKey } = messageQuery(message.id)

  const sending = useMutation({
    async mutationFn() {
      const send = (version: number) =>
        parseResponse(api.messages[':id'].reply.$post({ param: { id: String(message.id) }, json: { text, version } }))
      try {
        return await send(base.version)
      } catch (error) {
        // The other change is no reply and no move, but for example a note: the reply can be sent.
        const current = isApiRefusal(error, 'stale') && (error.problem.current as Message)
        if (current && current.replies.length === base.replies && current.folder === message.folder) {
          return send(current.version)
        }
        throw error
      }
    },
    async onSuccess(saved) {
      if (sendsMail) notify(t('messages.reply.queued'))
      else notifyWarning(t('messages.reply.queuedToFile'))
      setText(saved.replyStart)
      setBase({ version: saved.version, replies: saved.replies.length })
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, saved)
      void queries.invalidateQueries({ queryKey: ['messages'] })
    },
    onError(error) {
      if (isApiRefusal(error, 'stale')) {
        const current = error.problem.current as Message
        queries.setQueryData(queryKey, current)
        setBase({ version: current.version, replies: current.replies.length })
      }
      if (error instanceof ApiRefusal) setTextError(error.problem.errors.find(({ path }) => path === 'text')?.message)
      focusFirstError()
    },
  })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (sending.isPending) return
    const isMissing = hasNoReplyText(text, message)
    setTextError(isMissing ? t('messages.reply.unwritten') : undefined)
    if (isMissing) focusFirstError()
    else sending.mutate()
  }
  const submitOnShortcut = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }

  const { error } = sending
  return (
    <Section title={t('messages.reply.title')} lead={<ReplyAddresses message={message} />}>
      <form onSubmit={submit} noValidate className="stack">
        <MailNotice />
        {isApiRefusal(error, 'stale') && (
          <Alert role="alert" title={t('messages.reply.meanwhile')}>
            {t('messages.reply.meanwhileText')}
          </Alert>
        )}
        {error && !isApiRefusal(error, 'stale') && (
          <SaveFailure title={t('messages.reply.notSent')} error={error} unplaced={[]} />
        )}
        <Textarea
          label={t('messages.reply.label')}
          description={t('messages.reply.help')}
          name="text"
          // Aligns a name in Latin script with the Persian text above it.
          {...(dir === 'rtl' && { dir })}
          classNames={{ input: styles.typed }}
          rows={10}
          resize="vertical"
          required
          value={text}
          error={textError}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={submitOnShortcut}
        />
        <div className="row">
          <Button
            variant="filled"
            type="submit"
            leftSection={<Send className="flip-in-rtl" />}
            loading={sending.isPending}
          >
            {t(message.replies.length > 0 ? 'messages.reply.again' : 'messages.reply.send')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** Whether a reply has no text besides the greeting and the name with which it begins. */
export const hasNoReplyText = (text: string, message: Message): boolean =>
  text.trim() === '' || text === message.replyStart

/** The recipient of the reply, and the addresses that get the visitor's answer. */
function ReplyAddresses({ message }: { message: Message }) {
  const locale = useLocale()
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  return (
    <Translated
      text="messages.reply.lead"
      email={<EmailAddress email={message.email} />}
      replyTo={list.formatToParts(message.replyTo).map(({ type, value }) =>
        type === 'element' ? (
          <bdi key={value} dir="ltr">
            {value}
          </bdi>
        ) : (
          value
        ),
      )}
    />
  )
}

const colors = { waiting: 'gray', sent: 'brand', failed: 'red', file: 'gray' } as const

/** The replies with their authors and delivery states. */
export function ReplyList({ replies }: { replies: MessageReply[] }) {
  const t = useText()
  const sendsMail = useSendsMail()
  const maySeeMail = useRight(...mailReadRights)
  return (
    <Section title={t('messages.answers')}>
      <ol className={styles.thread}>
        {replies.map((reply) => (
          <li key={reply.id}>
            <div className={styles.by}>
              <span className="quiet small">
                <Translated text="messages.sentBy" name={<bdi>{reply.by}</bdi>} date={<Moment at={reply.at} />} />
              </span>
              <Badge color={colors[reply.state]}>
                {t(`messages.reply.${reply.state === 'waiting' && !sendsMail ? 'file' : reply.state}`)}
              </Badge>
            </div>
            <VisitorText text={reply.text} />
            {(reply.state === 'failed' || (reply.state === 'file' && sendsMail)) && maySeeMail && (
              <TextLink to="/admin/mail" search={{ state: reply.state }}>
                {t('messages.reply.why')}
              </TextLink>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
