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

/** Personal data is in messages and in accounts, so both rights are required. */
export const privacyRights = ['messages.write', 'users.write'] as const satisfies Right[]

export const isRight = (name: string): name is Right => (rights as string[]).includes(name)

/** Every user has this role. */
export const baseRoleId = 1
/** The predefined role that holds every right. */
export const administratorRoleId = 2

/** A user, as far as rights are concerned. */
export interface RightsHolder {
  rights: readonly Right[]
}

/**
 * True for a signed-in user who holds one of the required rights, or when none is required.
 * @param required a list of which one is enough
 */
export function hasRight(user: RightsHolder | undefined, required: readonly Right[]): boolean {
  if (!user) return false
  return required.length === 0 || required.some((right) => user.rights.includes(right))
}

/** Whether the user holds each of the required rights. */
export const holdsAll = (user: RightsHolder | undefined, required: readonly Right[]): boolean =>
  user !== undefined && required.every((right) => user.rights.includes(right))
