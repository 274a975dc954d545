import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Message } from '../../../contract/messages.ts'
import { answer, api } from '../../client.ts'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { tell } from '../../components/notify.tsx'
import { NotSaved, SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { StaleChoice } from '../../components/stale-choice.tsx'
import { useVersionedForm } from '../../components/versioned-form.ts'
import { useText } from '../../i18n.ts'
import styles from './messages.module.css'
import { messageQuery } from './messages.ts'

/** What the staff want to remember of a message. */
export function NoteForm({ message }: { message: Message }) {
  const t = useText()
  const queries = useQueryClient()
  const work = useVersionedForm<Message, { note: string }>({
    thing: message,
    valuesOf: (one) => ({ note: one?.note ?? '' }),
    save: ({ note }, version) =>
      answer(
        api.messages[':id'].$put({
          param: { id: String(message.id) },
          json: { note, ...(version !== undefined && { version }) },
        }),
      ),
    onSaved(saved) {
      tell(t('messages.note.saved'))
      queries.setQueryData(messageQuery(message.id).queryKey, saved)
      void queries.invalidateQueries({ queryKey: ['messages', 'list'] })
    },
  })
  const { form, dirty, failure, stale } = work
  return (
    <Section title={t('messages.note.title')}>
      <form onSubmit={work.onSubmit} noValidate className="stack">
        <KeepChanges when={dirty} />
        {failure && <NotSaved key={failure.count} title={t('messages.note.notSaved')} {...failure} />}
        <Textarea
          aria-label={t('messages.note.title')}
          description={t('messages.note.help')}
          classNames={{ input: styles.typed }}
          rows={4}
          resize="vertical"
          disabled={!message.can.change}
          {...form.getInputProps('note')}
        />
        {message.can.change && dirty && <SaveBar saving={work.saving} />}
      </form>
      {stale && (
        <StaleChoice
          differences={[{ label: t('messages.note.title'), mine: form.getValues().note, theirs: stale.theirs.note }]}
          {...stale}
        />
      )}
    </Section>
  )
}
