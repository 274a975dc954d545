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
