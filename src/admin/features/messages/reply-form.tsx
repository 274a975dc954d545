import { Alert, Button, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import type { Message } from '../../../contract/messages.ts'
import { answer, api, isRefused, Refused } from '../../client.ts'
import { focusFirstError } from '../../components/form-problems.ts'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { tell } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { NotSaved } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { useLocale, useText } from '../../i18n.ts'
import styles from './messages.module.css'
import { inboxQuery, messageQuery } from './messages.ts'

/** Writes to the visitor. What a colleague did meanwhile is shown before anything is sent. */
export function ReplyForm({ message }: { message: Message }) {
  const t = useText()
  const queries = useQueryClient()
  const [text, setText] = useState(message.replyStart)
  const [begun, setBegun] = useState({ version: message.version, replies: message.replies.length })
  const [wrong, setWrong] = useState<string>()
  const unwritten = text.trim() === '' || text === message.replyStart
  const { queryKey } = messageQuery(message.id)

  const sending = useMutation({
    async mutationFn() {
      const send = (version: number) =>
        answer(api.messages[':id'].reply.$post({ param: { id: String(message.id) }, json: { text, version } }))
      try {
        return await send(begun.version)
      } catch (error) {
        // A note or a mark of somebody is no answer: then there is nothing to look at first.
        const now = isRefused(error, 'stale') && (error.problem.current as Message)
        if (now && now.replies.length === begun.replies && now.folder === message.folder) return send(now.version)
        throw error
      }
    },
    async onSuccess(now) {
      tell(t('messages.reply.queued'))
      setText(now.replyStart)
      setBegun({ version: now.version, replies: now.replies.length })
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, now)
      void queries.invalidateQueries({ queryKey: ['messages'] })
    },
    onError(error) {
      if (isRefused(error, 'stale')) {
        const now = error.problem.current as Message
        queries.setQueryData(queryKey, now)
        setBegun({ version: now.version, replies: now.replies.length })
      }
      if (error instanceof Refused) setWrong(error.problem.errors.find(({ path }) => path === 'text')?.message)
      focusFirstError()
    },
  })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (sending.isPending) return
    setWrong(unwritten ? t('messages.reply.unwritten') : undefined)
    if (unwritten) focusFirstError()
    else sending.mutate()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }

  const { error } = sending
  return (
    <Section title={t('messages.reply.title')} lead={<Route email={message.email} />}>
      <form onSubmit={submit} noValidate className="stack">
        <KeepChanges when={!unwritten} />
        {isRefused(error, 'stale') && (
          <Alert role="alert" title={t('messages.reply.meanwhile')}>
            {t('messages.reply.meanwhileText')}
          </Alert>
        )}
        {error && !isRefused(error, 'stale') && (
          <NotSaved title={t('messages.reply.notSent')} error={error} unplaced={[]} />
        )}
        <Textarea
          label={t('messages.reply.label')}
          description={t('messages.reply.help')}
          name="text"
          // A name in Latin letters under a Persian answer stays at its side.
          {...(message.locale === 'fa' && { dir: 'rtl' })}
          classNames={{ input: styles.typed }}
          rows={10}
          resize="vertical"
          required
          value={text}
          error={wrong}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={press}
        />
        <div className="row">
          <Button
            type="submit"
            leftSection={<Send size={18} className="turns" aria-hidden />}
            loading={sending.isPending}
          >
            {t(message.replies.length > 0 ? 'messages.reply.again' : 'messages.reply.send')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** From whom to whom. */
function Route({ email }: { email: string }) {
  const { data: inbox } = useQuery(inboxQuery)
  const locale = useLocale()
  if (!inbox) return null
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  return (
    <Said
      text="messages.reply.lead"
      email={<bdi dir="ltr">{email}</bdi>}
      replyTo={list.formatToParts(inbox.replyTo).map(({ type, value }) =>
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
