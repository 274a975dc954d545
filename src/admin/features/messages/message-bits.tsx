import { Anchor, Badge } from '@mantine/core'
import { StickyNote } from 'lucide-react'
import { mailtoOf, telOf } from '../../../contract/contact.ts'
import type { ListedMessage } from '../../../contract/messages.ts'
import { useText } from '../../i18n.ts'
import styles from './messages.module.css'

/** Whether something is still to be done. */
export function StateBadge({ message }: { message: Pick<ListedMessage, 'folder' | 'answeredAt'> }) {
  const t = useText()
  const state = message.folder === 'spam' ? 'spam' : message.answeredAt ? 'answered' : 'open'
  const color = { spam: 'red', answered: 'brand', open: 'gray' }[state]
  return (
    <Badge size="lg" color={color} variant="light">
      {t(`messages.state.${state}`)}
    </Badge>
  )
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

/** Links of our own making: nothing that a visitor typed becomes a link by itself. */
export const EmailLink = ({ email }: { email: string }) => (
  <Anchor href={mailtoOf(email)} inherit>
    <bdi dir="ltr">{email}</bdi>
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

/** What somebody wrote, as it was written: text and nothing else, each line in its own direction. */
export const Written = ({ text }: { text: string }) => <div className={styles.written}>{text}</div>
