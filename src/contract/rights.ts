/** All rights, in the groups that screens show. Names are permanent, because roles store them. */
export const rightGroups = {
  users: ['users.read', 'users.write', 'roles.write'],
  pages: ['pages.write', 'pages.publish', 'files.write'],
  messages: ['messages.read', 'messages.write', 'mail.read'],
  site: ['config.write', 'audit.read'],
} as const

export type RightGroup = keyof typeof rightGroups
export type Right = (typeof rightGroups)[keyof typeof rightGroups][number]
export const rights = Object.values(rightGroups).flat() as Right[]

/** The rights for exporting and erasing a person's data, all required: the data is in messages and accounts. */
export const privacyRights = ['messages.write', 'users.write'] as const satisfies Right[]

export const isRight = (name: string): name is Right => (rights as string[]).includes(name)

/** Every user has this role. */
export const baseRoleId = 1
/** The predefined role that holds every right. */
export const administratorRoleId = 2

/** The roles of a new database: the names that are stored, and the keys of the translated names. */
const predefinedRoles = [
  { id: baseRoleId, name: 'Geregistreerd', key: 'rights.roles.registered' },
  { id: administratorRoleId, name: 'Beheerder', key: 'rights.roles.administrator' },
  { id: 3, name: 'Redacteur', key: 'rights.roles.editor' },
] as const
type TranslateRole = (key: (typeof predefinedRoles)[number]['key']) => string

/**
 * The name of a role for readers: that of a predefined role in their language, unless a person has renamed it.
 * @param role without `id` where only the name was recorded
 */
export function roleName(role: { id?: number; name: string }, t: TranslateRole): string {
  const predefined = predefinedRoles.find(({ id, name }) => name === role.name && id === (role.id ?? id))
  return predefined ? t(predefined.key) : role.name
}

/** The name to store for what a person typed: the translated name of a predefined role is not a new name. */
export function storedRoleName(role: { id: number; name: string }, t: TranslateRole): string {
  const predefined = predefinedRoles.find(({ id }) => id === role.id)
  return predefined && t(predefined.key) === role.name.trim() ? predefined.name : role.name
}

/** A user, as far as rights are concerned. */
export interface RightsHolder {
  rights: readonly Right[]
}

/**
 * Whether the user holds at least one of the required rights; an empty list requires only a signed-in user.
 * @param user undefined: nobody is signed in
 */
export function hasRight(user: RightsHolder | undefined, required: readonly Right[]): boolean {
  if (!user) return false
  return required.length === 0 || required.some((right) => user.rights.includes(right))
}

/** Whether the user holds all of the required rights. */
export const holdsAll = (user: RightsHolder | undefined, required: readonly Right[]): boolean =>
  user !== undefined && required.every((right) => user.rights.includes(right))
