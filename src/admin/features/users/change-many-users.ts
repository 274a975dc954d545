import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import { roleName } from '../../../contract/rights.ts'
import type { User } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { meQuery } from '../sign-in/me.ts'

interface BlockChange {
  users: User[]
  blocked: boolean
  /** Whether this is an undo: its notification has no undo button. */
  undoing?: boolean
}

/** Returns a function that blocks or unblocks users, with an optimistic update of the lists. */
export function useBlockUsers() {
  const t = useText()
  const queries = useQueryClient()
  const blocking = useMutation({
    mutationFn({ users, blocked }: BlockChange) {
      const json = { ids: users.map(({ id }) => id) }
      return blocked ? parseResponse(api.users.block.$post({ json })) : parseResponse(api.users.unblock.$post({ json }))
    },
    async onMutate({ users, blocked }) {
      await queries.cancelQueries({ queryKey: ['users'] })
      const previousLists = queries.getQueriesData<ListOf<User>>({ queryKey: ['users', 'list'] })
      const ids = new Set(users.map(({ id }) => id))
      queries.setQueriesData<ListOf<User>>(
        { queryKey: ['users', 'list'] },
        (list) => list && { ...list, data: list.data.map((user) => (ids.has(user.id) ? { ...user, blocked } : user)) },
      )
      return { previousLists }
    },
    onError(error, { blocked }, context) {
      for (const [key, list] of context?.previousLists ?? []) queries.setQueryData(key, list)
      notifyFailure(t(blocked ? 'users.notBlocked' : 'users.notUnblocked'), error)
    },
    onSuccess(_result, { users, blocked, undoing }) {
      const undo = undoing ? undefined : () => blocking.mutate({ users, blocked: !blocked, undoing: true })
      const [firstUser] = users
      if (firstUser && users.length === 1) {
        return notify(t(blocked ? 'users.blockedOne' : 'users.unblockedOne', { name: isolate(firstUser.name) }), undo)
      }
      notify(t(blocked ? 'users.blockedMany' : 'users.unblockedMany', { count: users.length }), undo)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  /** Skips users who are already (un)blocked, so that undo does not change them either. */
  return (users: User[], blocked: boolean) => {
    const loadedById = new Map(
      queries
        .getQueriesData<ListOf<User>>({ queryKey: ['users', 'list'] })
        .flatMap(([, list]) => list?.data ?? [])
        .map((user) => [user.id, user]),
    )
    const toChange = users.filter((user) => (loadedById.get(user.id) ?? user).blocked !== blocked)
    if (toChange.length > 0) blocking.mutate({ users: toChange, blocked })
    else notify(t(blocked ? 'users.blockedMany' : 'users.unblockedMany', { count: users.length }))
  }
}

interface RoleChange {
  users: User[]
  /** Null: no role besides the base role. */
  role: { id: number; name: string } | null
}

/** A mutation that assigns one role to users. Undo restores the previous role of each. */
export function useAssignRole() {
  const t = useText()
  const queries = useQueryClient()
  const assign = (users: User[], roleId: number | null) =>
    parseResponse(api.users.role.$post({ json: { ids: users.map(({ id }) => id), roleId } }))
  // Also the current user, whose rights may have changed.
  const refetch = () =>
    Promise.all([['users'], ['roles'], meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })))

  const undo = useMutation({
    async mutationFn(users: User[]) {
      const usersByPreviousRole = Map.groupBy(users, (user) => user.user_role?.id ?? null)
      for (const [roleId, usersOfRole] of usersByPreviousRole) await assign(usersOfRole, roleId)
    },
    onSuccess: (_result, users) => notify(t('users.roleRestored', { count: users.length })),
    onError: (error) => notifyFailure(t('users.roleNotAssigned'), error),
    onSettled: refetch,
  })
  return useMutation({
    mutationFn: ({ users, role }: RoleChange) => assign(users, role?.id ?? null),
    onSuccess(_result, { users, role }) {
      const key = role ? 'users.roleAssigned' : 'users.roleRemoved'
      notify(t(key, { count: users.length, role: isolate(role ? roleName(role, t) : '') }), () => undo.mutate(users))
    },
    onError: (error) => notifyFailure(t('users.roleNotAssigned'), error),
    onSettled: refetch,
  })
}

/** Encloses a name in Unicode isolates, because it may have another text direction than the sentence. */
const isolate = (name: string) => `\u2068${name}\u2069`
