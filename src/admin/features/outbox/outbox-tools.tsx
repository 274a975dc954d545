import { useQuery } from '@tanstack/react-query'
import { Choices } from '../../components/choices.tsx'
import { numberText } from '../../components/dates.ts'
import { ListTools } from '../../components/list-tools.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { countsQuery, type OutboxSearch, states } from './outbox.ts'

/** Which letters are looked at; all of it stands in the address. */
export function OutboxTools(props: { search: OutboxSearch; change: (changes: Partial<OutboxSearch>) => void }) {
  const { search, change } = props
  const t = useText()
  const locale = useLocale()
  const { data: counts } = useQuery(countsQuery)
  const label = (state: (typeof states)[number]) => {
    const name = t(`outbox.state.${state}`)
    const count = counts?.[state] ?? 0
    return count > 0 ? t('outbox.counted', { state: name, number: numberText(count, locale) }) : name
  }
  return (
    <>
      <Choices
        legend={<span className="unseen">{t('outbox.states')}</span>}
        options={[
          { value: 'all', label: t('outbox.state.all') },
          ...states.map((state) => ({ value: state, label: label(state) })),
        ]}
        chosen={[search.state ?? 'all']}
        onChoose={([state]) => change({ state: state === 'all' ? undefined : (state as OutboxSearch['state']) })}
      />
      <ListTools
        search={
          <SearchField
            label={t('outbox.search')}
            value={search.search}
            onSearch={(text) => change({ search: text || undefined })}
          />
        }
        sorting={{
          options: [
            { value: '-createdAt', label: t('outbox.newest') },
            { value: 'createdAt', label: t('outbox.oldest') },
          ],
          by: search.sort ?? '-createdAt',
          set: (sort) => change({ sort: sort as OutboxSearch['sort'] }),
        }}
      />
    </>
  )
}
