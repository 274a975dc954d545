import { Anchor, Badge } from '@mantine/core'
import { StickyNote } from 'lucide-react'
import { mailtoOf, telOf } from '../../../contract/contact.ts'
import type { ListedMessage } from '../../../contract/messages.ts'
import { EmailAddress } from '../../components/email-address.tsx'
import { useText } from '../../i18n.ts'
import styles from './messages.module.css'

export function StateBadge({ message }: { message: Pick<ListedMessage, 'folder' | 'answeredAt'> }) {
  const t = useText()
  const state = message.folder === 'spam' ? 'spam' : message.answeredAt ? 'answered' : 'open'
  const color = { spam: 'red', answered: 'brand', open: 'gray' }[state]
  return <Badge color={color}>{t(`messages.state.${state}`)}</Badge>
}

export function UnreadMark({ message }: { message: Pick<ListedMessage, 'readAt'> }) {
  const t = useText()
  if (message.readAt) return null
  const label = t('messages.unreadMark')
  return <span className={styles.unread} role="img" aria-label={label} title={label} />
}

export function NoteMark({ message }: { message: Pick<ListedMessage, 'hasNote'> }) {
  const t = useText()
  if (!message.hasNote) return null
  return <StickyNote size={16} className="quiet" role="img" aria-label={t('messages.noteMark')} />
}

/** A link built from the email address; nothing else that a visitor typed becomes a link. */
export const EmailLink = ({ email }: { email: string }) => (
  // Without the label screen readers read a space before the domain, which is a box of its own.
  <Anchor href={mailtoOf(email)} aria-label={email} inherit>
    <EmailAddress email={email} />
  </Anchor>
)

export function TelLink({ tel }: { tel: string }) {
  const href = telOf(tel)
  const shown = <bdi dir="ltr">{tel}</bdi>
  return href ? (
    <Anchor href={href} inherit>
      {shown}
    </Anchor>
  ) : (
    shown
  )
}

/** A visitor's text as plain text, each line in its own direction. */
export const VisitorText = ({ text }: { text: string }) => <div className={styles.written}>{text}</div>
