import type { AdminLocale } from '../../../contract/locales.ts'
import { baseRoleId } from '../../../contract/rights.ts'
import type { User } from '../../../contract/users.ts'

export interface UserValues extends Record<string, unknown> {
  name: string
  email: string
  locale: AdminLocale
  /** Empty: only the base role. */
  roleId: string
  password: string
  mailPassword: boolean
  /** Whether to email a new user without a password a link to set one. */
  invite: boolean
  blocked: boolean
}

export const valuesOf = (user: User | undefined, locale: AdminLocale): UserValues => ({
  name: user?.name ?? '',
  email: user?.email ?? '',
  locale: user?.locale ?? locale,
  roleId: user?.user_role ? String(user.user_role.id) : '',
  password: '',
  mailPassword: false,
  invite: user === undefined,
  blocked: user?.blocked ?? false,
})

/** The request body: an empty password is omitted, and so is the role when none is chosen. */
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
