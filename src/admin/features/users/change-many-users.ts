import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { User } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { meQuery } from '../sign-in/me.ts'

interface BlockChange {
  users: User[]
  blocked: boolean
  /** An undo cannot itself be undone. */
  undoing?: boolean
}

/** Blocks or unblocks users with an optimistic update. */
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
      const before = queries.getQueriesData<ListOf<User>>({ queryKey: ['users', 'list'] })
      const ids = new Set(users.map(({ id }) => id))
      queries.setQueriesData<ListOf<User>>(
        { queryKey: ['users', 'list'] },
        (list) => list && { ...list, data: list.data.map((user) => (ids.has(user.id) ? { ...user, blocked } : user)) },
      )
      return { before }
    },
    onError(error, { blocked }, context) {
      for (const [key, list] of context?.before ?? []) queries.setQueryData(key, list)
      notifyFailure(t(blocked ? 'users.notBlocked' : 'users.notUnblocked'), error)
    },
    onSuccess(_now, { users, blocked, undoing }) {
      const undo = undoing ? undefined : () => blocking.mutate({ users, blocked: !blocked, undoing: true })
      const [one, ...others] = users
      if (one && others.length === 0) {
        return notify(t(blocked ? 'users.blockedOne' : 'users.unblockedOne', { name: isolated(one.name) }), undo)
      }
      notify(t(blocked ? 'users.blockedMany' : 'users.unblockedMany', { count: users.length }), undo)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  /** Skips users who already have that state, so that undo does not change them either. */
  return (users: User[], blocked: boolean) => {
    const now = new Map(
      queries
        .getQueriesData<ListOf<User>>({ queryKey: ['users', 'list'] })
        .flatMap(([, list]) => list?.data ?? [])
        .map((user) => [user.id, user]),
    )
    const others = users.filter((user) => (now.get(user.id) ?? user).blocked !== blocked)
    if (others.length > 0) blocking.mutate({ users: others, blocked })
    else notify(t(blocked ? 'users.blockedMany' : 'users.unblockedMany', { count: users.length }))
  }
}

interface RoleChange {
  users: User[]
  role: { id: number; name: string } | null
}

/** Assigns one role to several users. Undo restores the previous role of each. */
export function useAssignRole() {
  const t = useText()
  const queries = useQueryClient()
  const assign = (users: User[], roleId: number | null) =>
    parseResponse(api.users.role.$post({ json: { ids: users.map(({ id }) => id), roleId } }))
  // The user's own rights may have changed.
  const settle = () =>
    Promise.all([['users'], ['roles'], meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })))

  const undo = useMutation({
    async mutationFn(users: User[]) {
      const byFormerRole = Map.groupBy(users, (user) => user.user_role?.id ?? null)
      for (const [roleId, former] of byFormerRole) await assign(former, roleId)
    },
    onSuccess: (_done, users) => notify(t('users.roleRestored', { count: users.length })),
    onError: (error) => notifyFailure(t('users.roleNotAssigned'), error),
    onSettled: settle,
  })
  return useMutation({
    mutationFn: ({ users, role }: RoleChange) => assign(users, role?.id ?? null),
    onSuccess(_now, { users, role }) {
      const key = role ? 'users.roleAssigned' : 'users.roleRemoved'
      notify(t(key, { count: users.length, role: isolated(role?.name ?? '') }), () => undo.mutate(users))
    },
    onError: (error) => notifyFailure(t('users.roleNotAssigned'), error),
    onSettled: settle,
  })
}

/** Wrapped in Unicode isolates, because a name may have another text direction. */
const isolated = (name: string) => `\u2068${name}\u2069`
