import { localeNames, locales } from '../../../contract/locales.ts'
import { Choices } from '../../components/choices.tsx'
import { ListTools } from '../../components/list-tools.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useText } from '../../i18n.ts'
import { orderOf, type PageSearch, statuses } from './pages.ts'

/** The order of a search in which none was chosen. */
const bestMatch = 'match'
const any = 'any'

/** Searching, filtering and sorting; all of it stands in the address. */
export function PageTools(props: {
  search: PageSearch
  change: (changes: Partial<PageSearch>) => void
  clear: () => void
}) {
  const { search, change, clear } = props
  const t = useText()
  return (
    <ListTools
      search={
        <SearchField
          label={t('pages.search')}
          value={search.search}
          onSearch={(text) => change({ search: text || undefined })}
        />
      }
      filtered={(search.status ? 1 : 0) + (search.locale ? 1 : 0)}
      onClear={clear}
      filters={
        !search.bin && (
          <>
            <Choices
              legend={t('pages.status')}
              options={[
                { value: any, label: t('pages.anyStatus') },
                ...statuses.map((value) => ({ value, label: t(`pages.statuses.${value}`) })),
              ]}
              chosen={[search.status ?? any]}
              onChoose={([one]) => change({ status: one === any ? undefined : (one as PageSearch['status']) })}
            />
            <Choices
              legend={t('pages.language')}
              options={[
                { value: any, label: t('pages.anyLanguage') },
                ...locales.map((value) => ({ value, label: localeNames[value] })),
              ]}
              chosen={[search.locale ?? any]}
              onChoose={([one]) => change({ locale: one === any ? undefined : (one as PageSearch['locale']) })}
            />
          </>
        )
      }
      sorting={{
        options: [
          ...(search.search ? [{ value: bestMatch, label: t('pages.sort.match') }] : []),
          { value: '-updatedAt', label: t('pages.sort.updatedAtDown') },
          { value: 'updatedAt', label: t('pages.sort.updatedAt') },
          { value: 'title', label: t('pages.sort.title') },
          { value: '-title', label: t('pages.sort.titleDown') },
        ],
        by: orderOf(search) ?? bestMatch,
        set: (sort) => change({ sort: sort === bestMatch ? undefined : (sort as PageSearch['sort']) }),
      }}
    />
  )
}
