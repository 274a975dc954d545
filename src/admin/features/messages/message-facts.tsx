import { Button } from '@mantine/core'
import { localeNames } from '../../../contract/locales.ts'
import type { Message } from '../../../contract/messages.ts'
import { numberText } from '../../components/dates.ts'
import { Moment } from '../../components/moment.tsx'
import { Facts, Section } from '../../components/section.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useMarking } from './change-messages.ts'
import { EmailLink, StateBadge, TelLink } from './message-bits.tsx'

/** Who wrote, when, and until when it is kept. */
export function MessageFacts({ message }: { message: Message }) {
  const t = useText()
  const locale = useLocale()
  const mark = useMarking()
  const answered = message.answeredAt !== null
  return (
    <Section title={t('messages.about')}>
      <Facts
        facts={[
          { label: t('messages.status'), value: <StateBadge message={message} /> },
          { label: t('messages.email'), value: <EmailLink email={message.email} /> },
          { label: t('messages.tel'), value: <TelLink tel={message.tel} /> },
          { label: t('messages.received'), value: <Moment at={message.createdAt} /> },
          {
            label: t('messages.answeredAt'),
            value: message.answeredAt ? <Moment at={message.answeredAt} /> : t('messages.notYet'),
          },
          { label: t('messages.language'), value: localeNames[message.locale] },
          { label: t('messages.reference'), value: numberText(message.id, locale, { grouped: false }) },
          { label: t('messages.keptUntil'), value: <Moment at={message.keptUntil} day /> },
        ]}
      />
      {message.can.change && message.folder === 'inbox' && (
        <Button variant="default" onClick={() => mark('answered', [message], !answered)}>
          {t(answered ? 'messages.toAnswer' : 'messages.answeredElsewhere')}
        </Button>
      )}
    </Section>
  )
}
