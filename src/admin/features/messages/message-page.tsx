import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Inbox, MailOpen, ShieldAlert, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Message } from '../../../contract/messages.ts'
import { isRefused } from '../../client.ts'
import { Page } from '../../components/page.tsx'
import { Beside, Section } from '../../components/section.tsx'
import { Failed, NoRight, NotFound, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { useDeleting, useMarking } from './change-messages.ts'
import { Written } from './message-bits.tsx'
import { MessageFacts } from './message-facts.tsx'
import { messageQuery, toSeeMessages } from './messages.ts'
import { NoteForm } from './note-form.tsx'
import { Replies } from './replies.tsx'
import { ReplyForm } from './reply-form.tsx'

/** One message: what was written, what was answered, and what is left to do. */
export function MessagePage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/messages/$id' })
  const maySee = useRight(...toSeeMessages)
  const { data: message, error, refetch } = useQuery({ ...messageQuery(Number(id)), enabled: maySee })
  if (isRefused(error, 'not_found')) return <NotFound />
  return (
    <Page
      title={message?.naam ?? t('messages.message')}
      heading={message ? <bdi>{message.naam}</bdi> : t('messages.message')}
      back={{ to: '/admin/messages', label: t('messages.title') }}
      actions={message && <Actions message={message} />}
    >
      {!maySee && <NoRight />}
      {maySee && !message && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={5} />)}
      {message && <Shown key={message.id} message={message} />}
    </Page>
  )
}

function Shown({ message }: { message: Message }) {
  const t = useText()
  useReadMark(message)
  const { spamReason } = message
  const reason = spamReason === 'honeypot' || spamReason === 'staff' ? spamReason : 'other'
  return (
    <Beside
      main={
        <>
          {message.folder === 'spam' && (
            <Alert icon={<ShieldAlert size={18} aria-hidden />} title={t('messages.inSpam')}>
              {t(`messages.spamReason.${reason}`)}
            </Alert>
          )}
          <Section title={t('messages.message')}>
            <Written text={message.bericht} />
          </Section>
          {message.replies.length > 0 && <Replies replies={message.replies} />}
          {message.can.change && message.folder === 'inbox' && <ReplyForm message={message} />}
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

/** Who opens a message has read it; once, so that it can be marked as unread again. */
function useReadMark(message: Message): void {
  const mark = useMarking()
  const marked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what counts is that it is shown
  useEffect(() => {
    if (marked.current || message.readAt) return
    marked.current = true
    mark('read', [message], true, 'unsaid')
  }, [message.id])
}

function Actions({ message }: { message: Message }) {
  const t = useText()
  const navigate = useNavigate()
  const mark = useMarking()
  const { remove, isPending } = useDeleting()
  const leave = () => navigate({ to: '/admin/messages' })
  const spam = message.folder === 'spam'
  return (
    <>
      <Button
        variant="default"
        leftSection={<MailOpen size={18} aria-hidden />}
        onClick={() => {
          mark('read', [{ ...message, readAt: message.createdAt }], false)
          void leave()
        }}
      >
        {t('messages.markUnread')}
      </Button>
      {message.can.change && (
        <>
          <Button
            variant="default"
            leftSection={spam ? <Inbox size={18} aria-hidden /> : <ShieldAlert size={18} aria-hidden />}
            onClick={() => mark('spam', [message], !spam)}
          >
            {t(spam ? 'messages.notSpam' : 'messages.spam')}
          </Button>
          <Button
            variant="default"
            className="danger"
            leftSection={<Trash2 size={18} aria-hidden />}
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
