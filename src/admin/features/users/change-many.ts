import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { User } from '../../../contract/users.ts'
import { answer, api } from '../../client.ts'
import { tell, tellFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { meQuery } from '../sign-in/me.ts'

interface Block {
  users: User[]
  blocked: boolean
  /** The way back needs no way back. */
  undoing?: boolean
}

/** Blocks or unblocks, shown at once and taken back when the server refuses. */
export function useBlocking() {
  const t = useText()
  const queries = useQueryClient()
  const blocking = useMutation({
    mutationFn({ users, blocked }: Block) {
      const json = { ids: users.map(({ id }) => id) }
      return blocked ? answer(api.users.block.$post({ json })) : answer(api.users.unblock.$post({ json }))
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
    onError(error, { blocked }, kept) {
      for (const [key, list] of kept?.before ?? []) queries.setQueryData(key, list)
      tellFailure(t(blocked ? 'users.notBlocked' : 'users.notUnblocked'), error)
    },
    onSuccess(_now, { users, blocked, undoing }) {
      const undo = undoing ? undefined : () => blocking.mutate({ users, blocked: !blocked, undoing: true })
      const [one, ...others] = users
      if (one && others.length === 0) {
        return tell(t(blocked ? 'users.blockedOne' : 'users.unblockedOne', { name: isolated(one.name) }), undo)
      }
      tell(t(blocked ? 'users.blockedMany' : 'users.unblockedMany', { count: users.length }), undo)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  /** Who is so by now is left alone, so that the way back leaves them alone too. */
  return (users: User[], blocked: boolean) => {
    const now = new Map(
      queries
        .getQueriesData<ListOf<User>>({ queryKey: ['users', 'list'] })
        .flatMap(([, list]) => list?.data ?? [])
        .map((user) => [user.id, user]),
    )
    const others = users.filter((user) => (now.get(user.id) ?? user).blocked !== blocked)
    if (others.length > 0) blocking.mutate({ users: others, blocked })
    else tell(t(blocked ? 'users.blockedMany' : 'users.unblockedMany', { count: users.length }))
  }
}

interface Give {
  users: User[]
  role: { id: number; name: string } | null
}

/** Gives one role to several. The way back gives each the role that they had. */
export function useGivingRole() {
  const t = useText()
  const queries = useQueryClient()
  const give = (users: User[], roleId: number | null) =>
    answer(api.users.role.$post({ json: { ids: users.map(({ id }) => id), roleId } }))
  // Who gave themselves another role may do other things from now on.
  const settle = () =>
    Promise.all([['users'], ['roles'], meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })))

  const back = useMutation({
    async mutationFn(users: User[]) {
      const had = Map.groupBy(users, (user) => user.user_role?.id ?? null)
      for (const [roleId, those] of had) await give(those, roleId)
    },
    onSuccess: (_done, users) => tell(t('users.roleBack', { count: users.length })),
    onError: (error) => tellFailure(t('users.roleNotGiven'), error),
    onSettled: settle,
  })
  return useMutation({
    mutationFn: ({ users, role }: Give) => give(users, role?.id ?? null),
    onSuccess(_now, { users, role }) {
      const key = role ? 'users.roleGiven' : 'users.roleTaken'
      tell(t(key, { count: users.length, role: isolated(role?.name ?? '') }), () => back.mutate(users))
    },
    onError: (error) => tellFailure(t('users.roleNotGiven'), error),
    onSettled: settle,
  })
}

/** A name in running text keeps its own direction. */
const isolated = (name: string) => `\u2068${name}\u2069`
