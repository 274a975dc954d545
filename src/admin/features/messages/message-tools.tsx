import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ListedMessage } from '../../../contract/messages.ts'
import { Choices } from '../../components/choices.tsx'
import { numberText } from '../../components/dates.tsx'
import { ListTools, SelectionBar, searchField } from '../../components/list-tools.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useDeleteMessages, useMarkMessages } from './change-messages.ts'
import { inboxQuery, type MessageSearch, type View, views } from './messages.ts'

/** Search and filters; their values are in the URL. */
export function MessageTools(props: { search: MessageSearch; change: (changes: Partial<MessageSearch>) => void }) {
  const { search, change } = props
  const t = useText()
  const locale = useLocale()
  const { data: inbox } = useQuery(inboxQuery)
  const counts: Partial<Record<View, number>> = inbox
    ? { unread: inbox.unread, open: inbox.open, spam: inbox.spam }
    : {}
  const label = (view: View) => {
    const name = t(`messages.view.${view}`)
    const count = counts[view] ?? 0
    return count > 0 ? t('messages.counted', { view: name, number: numberText(count, locale) }) : name
  }
  return (
    <>
      <Choices
        legend={<span className="visually-hidden">{t('messages.views')}</span>}
        options={views.map((view) => ({ value: view, label: label(view) }))}
        chosen={[search.view ?? 'inbox']}
        onChoose={([view]) => change({ view: view === 'inbox' ? undefined : view })}
      />
      {inbox && inbox.forms.length > 1 && (
        <NativeSelect
          aria-label={t('messages.forms')}
          value={search.form ?? ''}
          onChange={(event) => change({ form: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('messages.allForms') },
            ...inbox.forms.map(({ id, name }) => ({ value: id, label: name || t('messages.contactForm') })),
          ]}
        />
      )}
      <ListTools
        search={searchField(t('messages.search'), search, change)}
        sorting={{
          options: [
            { value: '-createdAt', label: t('messages.newest') },
            { value: 'createdAt', label: t('messages.oldest') },
          ],
          by: search.sort ?? '-createdAt',
          set: (sort) => change({ sort: sort as MessageSearch['sort'] }),
        }}
      />
    </>
  )
}

/** Actions on the selected messages. */
export function ChosenMessages(props: { messages: ListedMessage[]; mayWrite: boolean; done: () => void }) {
  const { messages, mayWrite, done } = props
  const t = useText()
  const mark = useMarkMessages()
  const { remove, isPending } = useDeleteMessages()
  const act = (...[what, on]: [Parameters<typeof mark>[0], boolean]) => {
    mark(what, messages, on)
    done()
  }
  const inSpam = messages.every(({ folder }) => folder === 'spam')
  return (
    <SelectionBar label={t('messages.many')} count={messages.length} done={done}>
      <Button variant="default" onClick={() => act('read', true)}>
        {t('messages.markRead')}
      </Button>
      <Button variant="default" onClick={() => act('read', false)}>
        {t('messages.markUnread')}
      </Button>
      {mayWrite && (
        <>
          {!inSpam && (
            <Button variant="default" onClick={() => act('answered', true)}>
              {t('messages.answeredElsewhere')}
            </Button>
          )}
          <Button variant="default" onClick={() => act('spam', !inSpam)}>
            {t(inSpam ? 'messages.notSpam' : 'messages.spam')}
          </Button>
          <Button
            variant="default"
            className="danger"
            loading={isPending}
            onClick={() =>
              void remove(
                messages.map(({ id }) => id),
                done,
              )
            }
          >
            {t('form.delete')}
          </Button>
        </>
      )}
    </SelectionBar>
  )
}
