import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { adminLocales, languageName } from '../../../contract/locales.ts'
import { baseRoleId, holdsAll } from '../../../contract/rights.ts'
import type { User } from '../../../contract/users.ts'
import { NotLoaded } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { RightNames } from '../roles/right-names.tsx'
import { rolesQuery } from '../roles/roles.ts'
import { useMe } from '../sign-in/me.ts'

/** The role of a user besides the base role. A role with rights that the current user lacks is disabled. */
export function RoleField({ user, ...props }: NativeSelectProps & { user: User | undefined }) {
  const t = useText()
  const me = useMe()
  const { data, error, refetch } = useQuery(rolesQuery)
  const has = user?.user_role
  // Without the right to list roles, or while they load, the current role is still shown.
  const roles = data?.filter(({ id }) => id !== baseRoleId) ?? (has ? [has] : [])
  const chosen = roles.find(({ id }) => String(id) === props.value)
  return (
    <div>
      <NativeSelect
        label={t('users.role')}
        description={t('users.roleHelp')}
        data={[
          { value: '', label: t('users.noRole') },
          ...roles.map((role) => ({
            value: String(role.id),
            label: role.name,
            disabled: role.id !== has?.id && !holdsAll(me, role.rights),
          })),
        ]}
        {...props}
      />
      {!data && error && <NotLoaded text={t('roles.notLoaded')} retry={() => void refetch()} />}
      {chosen && <RightNames title={t('users.roleRights')} rights={chosen.rights} />}
    </div>
  )
}

export function LanguageField(props: NativeSelectProps) {
  const t = useText()
  return (
    <NativeSelect
      label={t('users.language')}
      description={t('users.languageHelp')}
      data={adminLocales.map((value) => ({ value, label: languageName(value) }))}
      {...props}
    />
  )
}
