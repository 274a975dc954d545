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

/** A `mailto` link to the visitor's address. Security: of a visitor's input only this and `TelLink` become links. */
export const EmailLink = ({ email }: { email: string }) => (
  // Without the label screen readers read a space before the domain, which is an inline block.
  <Anchor href={mailtoOf(email)} aria-label={email} inherit>
    <EmailAddress email={email} />
  </Anchor>
)

/** A `tel` link, or the text if it is no telephone number. */
export function TelLink({ tel }: { tel: string }) {
  const href = telOf(tel)
  const number = <bdi dir="ltr">{tel}</bdi>
  return href ? (
    <Anchor href={href} inherit>
      {number}
    </Anchor>
  ) : (
    number
  )
}

/** A visitor's text, never parsed as markup; each line is in its own direction. */
export const VisitorText = ({ text }: { text: string }) => <div className={styles.written}>{text}</div>
