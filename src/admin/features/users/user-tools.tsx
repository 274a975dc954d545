import { useQuery } from '@tanstack/react-query'
import { baseRoleId } from '../../../contract/rights.ts'
import { Choices } from '../../components/choices.tsx'
import { ListTools } from '../../components/list-tools.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { NotLoaded } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { rolesQuery } from '../roles/roles.ts'
import { orderOf, type UserSearch } from './users.ts'

/** The order of a search in which none was chosen. */
const bestMatch = 'match'

/** Searching, filtering and sorting; all of it stands in the address. */
export function UserTools(props: { search: UserSearch; change: (changes: Partial<UserSearch>) => void }) {
  const { search, change } = props
  const t = useText()
  const { data: roles = [], error, refetch } = useQuery(rolesQuery)
  const status = search.blocked === undefined ? 'all' : search.blocked ? 'blocked' : 'active'
  return (
    <ListTools
      search={
        <SearchField
          label={t('users.search')}
          value={search.search}
          onSearch={(text) => change({ search: text || undefined })}
        />
      }
      filtered={(search.roleId?.length ?? 0) + (search.blocked === undefined ? 0 : 1)}
      onClear={() => change({ roleId: undefined, blocked: undefined })}
      filters={
        <>
          <Choices
            legend={t('users.roles')}
            several
            // Everyone has the base role.
            options={roles.filter(({ id }) => id !== baseRoleId).map(({ id, name }) => ({ value: id, label: name }))}
            chosen={search.roleId ?? []}
            onChoose={(roleId) => change({ roleId: roleId.length > 0 ? roleId : undefined })}
          />
          {error && <NotLoaded text={t('roles.notLoaded')} retry={() => void refetch()} />}
          <Choices
            legend={t('users.status')}
            options={[
              { value: 'all', label: t('users.anyStatus') },
              { value: 'active', label: t('users.active') },
              { value: 'blocked', label: t('users.blocked') },
            ]}
            chosen={[status]}
            onChoose={([one]) => change({ blocked: one === 'all' ? undefined : one === 'blocked' })}
          />
        </>
      }
      sorting={{
        options: [
          ...(search.search ? [{ value: bestMatch, label: t('users.sort.match') }] : []),
          { value: 'name', label: t('users.sort.name') },
          { value: '-name', label: t('users.sort.nameDown') },
          { value: 'email', label: t('users.sort.email') },
          { value: '-email', label: t('users.sort.emailDown') },
          { value: '-createdAt', label: t('users.sort.createdAtDown') },
          { value: 'createdAt', label: t('users.sort.createdAt') },
          { value: 'lastSignedInAt', label: t('users.sort.lastSignedInAt') },
          { value: '-lastSignedInAt', label: t('users.sort.lastSignedInAtDown') },
        ],
        by: orderOf(search) ?? bestMatch,
        set: (sort) => change({ sort: sort === bestMatch ? undefined : (sort as UserSearch['sort']) }),
      }}
    />
  )
}
