import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { baseRoleId, holdsAll } from '../../../contract/rights.ts'
import type { User } from '../../../contract/users.ts'
import { api, downloadFile } from '../../client.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { ListTools, SelectionBar, searchField, sortOptions } from '../../components/list-tools.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { NotLoaded } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { rolesQuery } from '../roles/roles.ts'
import { useMe } from '../sign-in/me.ts'
import { useAssignRole, type useBlockUsers } from './change-many-users.ts'
import styles from './chosen-users.module.css'
import { orderOf, type UserSearch, userFilters } from './users.ts'

/** The sort option for a search without a chosen order. */
const bestMatch = 'match'

/** Search, filters and sorting; their values are in the URL. */
export function UserTools(props: { search: UserSearch; change: (changes: Partial<UserSearch>) => void }) {
  const { search, change } = props
  const t = useText()
  const { data: roles = [], error, refetch } = useQuery(rolesQuery)
  const status = search.blocked === undefined ? 'all' : search.blocked ? 'blocked' : 'active'
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
            options={roles.filter(({ id }) => id !== baseRoleId).map(({ id, name }) => ({ value: id, label: name }))}
            chosen={search.roleId ?? []}
            onChoose={(roleId) => change({ roleId: roleId.length > 0 ? roleId : undefined })}
          />
          {error && <NotLoaded text={t('roles.notLoaded')} retry={() => void refetch()} />}
          <ChoiceGroup
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
export function ChosenUsers(props: { users: User[]; block: ReturnType<typeof useBlockUsers>; done: () => void }) {
  const { users, block, done } = props
  const t = useText()
  const exportUsers = useExportUsers()
  const tooMany = users.length > limits.bulkIdsMax
  const blocking = (blocked: boolean) => {
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
      <Button disabled={tooMany} onClick={() => blocking(true)}>
        {t('users.block')}
      </Button>
      <Button disabled={tooMany} onClick={() => blocking(false)}>
        {t('users.unblock')}
      </Button>
      <AssignRole users={users} fixed={tooMany} done={done} />
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

const none = 'none'

function AssignRole({ users, fixed, done }: { users: User[]; fixed: boolean; done: () => void }) {
  const t = useText()
  const me = useMe()
  const { data: roles = [], error, refetch } = useQuery(rolesQuery)
  const [chosen, choose] = useState('')
  const assignRole = useAssignRole()
  // Undefined when nothing is chosen, or a role that was deleted meanwhile.
  const role = chosen === none ? null : roles.find(({ id }) => String(id) === chosen)
  return (
    <div className={styles.assign}>
      <NativeSelect
        aria-label={t('users.giveRole')}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: '', label: t('users.chooseRole') },
          ...roles
            .filter((role) => role.id !== baseRoleId)
            .map((role) => ({ value: String(role.id), label: role.name, disabled: !holdsAll(me, role.rights) })),
          { value: none, label: t('users.noRole') },
        ]}
      />
      <Button
        disabled={fixed || role === undefined}
        loading={assignRole.isPending}
        onClick={() => role !== undefined && assignRole.mutate({ users, role }, { onSuccess: done })}
      >
        {t('users.giveRole')}
      </Button>
      {error && <NotLoaded text={t('roles.notLoaded')} retry={() => void refetch()} />}
    </div>
  )
}

/** Exports the selected users, or all users that match the search and filters, as a CSV file. */
export function useExportUsers() {
  const t = useText()
  return useMutation({
    mutationFn: (which: { ids: number[] } | { search: UserSearch }) =>
      downloadFile(
        'ids' in which
          ? api.users.export.$post({ json: { ids: which.ids } })
          : api.users.export.$get({ query: userFilters(which.search) }),
      ),
    onError: (error) => notifyFailure(t('users.notExported'), error),
  })
}
