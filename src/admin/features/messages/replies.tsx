import { Badge } from '@mantine/core'
import type { MessageReply } from '../../../contract/messages.ts'
import { TextLink } from '../../components/link-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { Said } from '../../components/said.tsx'
import { Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'
import { toSeeMail } from '../outbox/outbox.ts'
import { useRight } from '../sign-in/me.ts'
import { Written } from './message-bits.tsx'
import styles from './messages.module.css'

const colors = { waiting: 'gray', sent: 'brand', failed: 'red' } as const

/** What was answered, by whom, and whether it got there. */
export function Replies({ replies }: { replies: MessageReply[] }) {
  const t = useText()
  const maySeeMail = useRight(...toSeeMail)
  return (
    <Section title={t('messages.answers')}>
      <ol className={styles.thread}>
        {replies.map((reply) => (
          <li key={reply.id}>
            <div className={styles.by}>
              <span className="quiet small">
                <Said text="messages.sentBy" name={<bdi>{reply.by}</bdi>} date={<Moment at={reply.at} />} />
              </span>
              <Badge size="lg" variant="light" color={colors[reply.state]}>
                {t(`messages.reply.${reply.state}`)}
              </Badge>
            </div>
            <Written text={reply.text} />
            {reply.state === 'failed' && maySeeMail && (
              <TextLink to="/admin/mail" search={{ state: 'failed' }}>
                {t('messages.reply.why')}
              </TextLink>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
