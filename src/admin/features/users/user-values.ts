import type { Locale } from '../../../contract/locales.ts'
import { baseRoleId } from '../../../contract/rights.ts'
import type { User } from '../../../contract/users.ts'

/** What stands in the form. */
export interface UserValues extends Record<string, unknown> {
  name: string
  email: string
  locale: Locale
  /** Empty: no role for work. */
  roleId: string
  password: string
  mailPassword: boolean
  blocked: boolean
}

export const valuesOf = (user: User | undefined, locale: Locale): UserValues => ({
  name: user?.name ?? '',
  email: user?.email ?? '',
  locale: user?.locale ?? locale,
  roleId: user?.user_role ? String(user.user_role.id) : '',
  password: '',
  mailPassword: false,
  blocked: user?.blocked ?? false,
})

/** As the API wants it: an empty password is left out, and so is the relation when there is no role. */
export const bodyOf = (values: UserValues, version: number | undefined) => ({
  username: values.email,
  email: values.email,
  name: values.name,
  ...(values.password !== '' && { password: values.password }),
  confirmed: true as const,
  blocked: values.blocked,
  locale: values.locale,
  role: { connect: [baseRoleId as typeof baseRoleId] },
  ...(values.roleId !== '' && { user_role: { set: [Number(values.roleId)] } }),
  ...(version !== undefined && { version }),
})

export const fieldOf = (path: string): string =>
  path === 'username' ? 'email' : path.startsWith('user_role') ? 'roleId' : path
