import { useQuery } from '@tanstack/react-query'
import { Choices } from '../../components/choices.tsx'
import { numberText } from '../../components/dates.ts'
import { ListTools } from '../../components/list-tools.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { inboxQuery, type MessageSearch, type View, views } from './messages.ts'

/** Which messages are looked at; all of it stands in the address. */
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
        legend={<span className="unseen">{t('messages.views')}</span>}
        options={views.map((view) => ({ value: view, label: label(view) }))}
        chosen={[search.view ?? 'inbox']}
        onChoose={([view]) => change({ view: view === 'inbox' ? undefined : view })}
      />
      <ListTools
        search={
          <SearchField
            label={t('messages.search')}
            value={search.search}
            onSearch={(text) => change({ search: text || undefined })}
          />
        }
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
