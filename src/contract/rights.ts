/** Everything that a role may allow, in the groups that screens show. A name is permanent: roles hold it. */
export const rightGroups = {
  users: ['users.read', 'users.write', 'roles.write'],
  pages: ['pages.write', 'pages.publish', 'files.write'],
  messages: ['messages.read', 'messages.write', 'mail.read'],
  site: ['config.write', 'audit.read'],
} as const

export type RightGroup = keyof typeof rightGroups
export type Right = (typeof rightGroups)[keyof typeof rightGroups][number]
export const rights = Object.values(rightGroups).flat() as Right[]

export const isRight = (name: string): name is Right => (rights as string[]).includes(name)

/** Everyone who has an account has this role. */
export const baseRoleId = 1
/** The delivered role that holds every right. */
export const administratorRoleId = 2

/**
 * True for somebody who is signed in when nothing is asked or one of what is asked is held; never for nobody.
 * @param wanted a list of which one is enough
 */
export function hasRight(user: { rights: readonly Right[] } | undefined, wanted: readonly Right[]): boolean {
  if (!user) return false
  return wanted.length === 0 || wanted.some((right) => user.rights.includes(right))
}

/** Whether somebody holds each of `rights`. */
export const holdsAll = (user: { rights: readonly Right[] } | undefined, wanted: readonly Right[]): boolean =>
  user !== undefined && wanted.every((right) => user.rights.includes(right))
