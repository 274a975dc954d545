import { useQuery } from '@tanstack/react-query'
import { localeNames } from '../../../contract/locales.ts'
import type { User } from '../../../contract/users.ts'
import { type Difference, StaleChoice } from '../../components/stale-choice.tsx'
import { useText } from '../../i18n.ts'
import { rolesQuery } from '../roles/roles.ts'
import { type UserValues, valuesOf } from './user-values.ts'

/** What stands in the form beside what somebody else saved meanwhile. */
export function StaleUser(props: {
  mine: UserValues
  /** As the list or the screen knew them. */
  before: User | undefined
  theirs: User
  keepMine: () => void
  takeTheirs: () => void
  close: () => void
}) {
  const { mine, before, theirs, ...choices } = props
  const t = useText()
  const { data: roles = [] } = useQuery(rolesQuery)
  const now = valuesOf(theirs, theirs.locale)
  /** Of a role that neither the list nor they know there is only the number. */
  const roleName = (id: string) => {
    if (id === '') return t('users.noRole')
    const known = [theirs.user_role, before?.user_role, ...roles].find((role) => String(role?.id) === id)
    return known?.name ?? t('roles.number', { id })
  }
  const differences: Difference[] = [
    { label: t('users.name'), mine: mine.name, theirs: now.name },
    { label: t('users.email'), mine: mine.email, theirs: now.email },
    { label: t('users.language'), mine: localeNames[mine.locale], theirs: localeNames[now.locale] },
    { label: t('users.role'), mine: roleName(mine.roleId), theirs: roleName(now.roleId) },
    {
      label: t('users.blocked'),
      mine: t(mine.blocked ? 'form.yes' : 'form.no'),
      theirs: t(now.blocked ? 'form.yes' : 'form.no'),
    },
  ].filter((one) => one.mine !== one.theirs)
  return <StaleChoice differences={differences} {...choices} />
}
