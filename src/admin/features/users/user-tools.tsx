import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { baseRoleId, holdsAll, roleName } from '../../../contract/rights.ts'
import type { User } from '../../../contract/users.ts'
import { api, downloadFile } from '../../client.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { ListTools, SelectionBar, searchField, sortOptions } from '../../components/list-tools.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { InlineError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { rolesQuery } from '../roles/roles.ts'
import { useMe } from '../sign-in/me.ts'
import { useAssignRole, type useBlockUsers } from './change-many-users.ts'
import styles from './chosen-users.module.css'
import { orderOf, type UserSearch, userFilters } from './users.ts'

/** The value of the sort option ‘relevance’. */
const bestMatch = 'match'

/** Search, filters and sorting; their values are in the URL. */
export function UserTools(props: { search: UserSearch; change: (changes: Partial<UserSearch>) => void }) {
  const { search, change } = props
  const t = useText()
  const { data: roles = [], error, refetch } = useQuery(rolesQuery)
  let status = 'all'
  if (search.blocked !== undefined) status = search.blocked ? 'blocked' : 'active'
  return (
    <ListTools
      search={searchField(t('users.search'), search, change)}
      filtered={(search.roleId?.length ?? 0) + (search.blocked === undefined ? 0 : 1)}
      onClear={() => change({ roleId: undefined, blocked: undefined })}
      filters={
        <>
          <ChoiceGroup
            legend={t('users.roles')}
            multiple
            // Everyone has the base role.
            options={roles
              .filter(({ id }) => id !== baseRoleId)
              .map((role) => ({ value: role.id, label: roleName(role, t) }))}
            chosen={search.roleId ?? []}
            onChoose={(roleId) => change({ roleId: roleId.length > 0 ? roleId : undefined })}
          />
          {error && <InlineError text={t('roles.notLoaded')} retry={() => void refetch()} />}
          <ChoiceGroup
            legend={t('users.status')}
            options={[
              { value: 'all', label: t('users.anyStatus') },
              { value: 'active', label: t('users.active') },
              { value: 'blocked', label: t('users.blocked') },
            ]}
            chosen={[status]}
            onChoose={([value]) => change({ blocked: value === 'all' ? undefined : value === 'blocked' })}
          />
        </>
      }
      sorting={{
        options: [
          ...(search.search ? [{ value: bestMatch, label: t('users.sort.match') }] : []),
          ...sortOptions(t, 'users', [
            'name',
            '-name',
            'email',
            '-email',
            '-createdAt',
            'createdAt',
            'lastSignedInAt',
            '-lastSignedInAt',
          ]),
        ],
        by: orderOf(search) ?? bestMatch,
        set: (sort) => change({ sort: sort === bestMatch ? undefined : (sort as UserSearch['sort']) }),
      }}
    />
  )
}

/** Actions on the selected users. */
export function SelectedUsers(props: { users: User[]; block: ReturnType<typeof useBlockUsers>; done: () => void }) {
  const { users, block, done } = props
  const t = useText()
  const exportUsers = useExportUsers()
  const tooMany = users.length > limits.bulkIdsMax
  const blockAll = (blocked: boolean) => {
    block(users, blocked)
    done()
  }
  return (
    <SelectionBar
      label={t('users.many')}
      count={users.length}
      done={done}
      remark={tooMany ? t('users.tooManyChosen', { most: limits.bulkIdsMax }) : undefined}
    >
      <Button disabled={tooMany} onClick={() => blockAll(true)}>
        {t('users.block')}
      </Button>
      <Button disabled={tooMany} onClick={() => blockAll(false)}>
        {t('users.unblock')}
      </Button>
      <AssignRole users={users} disabled={tooMany} done={done} />
      <Button
        disabled={tooMany}
        loading={exportUsers.isPending}
        onClick={() => exportUsers.mutate({ ids: users.map(({ id }) => id) })}
      >
        {t('users.export')}
      </Button>
    </SelectionBar>
  )
}

const noRole = 'none'

function AssignRole({ users, disabled, done }: { users: User[]; disabled: boolean; done: () => void }) {
  const t = useText()
  const me = useMe()
  const { data: roles = [], error, refetch } = useQuery(rolesQuery)
  const [chosenValue, setChosenValue] = useState('')
  const assignRole = useAssignRole()
  // Undefined when nothing is chosen, or a role that was deleted meanwhile.
  const role = chosenValue === noRole ? null : roles.find(({ id }) => String(id) === chosenValue)
  return (
    <div className={styles.assign}>
      <NativeSelect
        aria-label={t('users.giveRole')}
        value={chosenValue}
        onChange={(event) => setChosenValue(event.currentTarget.value)}
        data={[
          { value: '', label: t('users.chooseRole') },
          ...roles
            .filter((role) => role.id !== baseRoleId)
            .map((role) => ({
              value: String(role.id),
              label: roleName(role, t),
              disabled: !holdsAll(me, role.rights),
            })),
          { value: noRole, label: t('users.noRole') },
        ]}
      />
      <Button
        disabled={disabled || role === undefined}
        loading={assignRole.isPending}
        onClick={() => role !== undefined && assignRole.mutate({ users, role }, { onSuccess: done })}
      >
        {t('users.giveRole')}
      </Button>
      {error && <InlineError text={t('roles.notLoaded')} retry={() => void refetch()} />}
    </div>
  )
}

/** Downloads users as a CSV file: those with the ids, or all that match the search and filters. */
export function useExportUsers() {
  const t = useText()
  return useMutation({
    mutationFn: (selection: { ids: number[] } | { search: UserSearch }) =>
      downloadFile(
        'ids' in selection
          ? api.users.export.$post({ json: { ids: selection.ids } })
          : api.users.export.$get({ query: userFilters(selection.search) }),
      ),
    onError: (error) => notifyFailure(t('users.notExported'), error),
  })
}
