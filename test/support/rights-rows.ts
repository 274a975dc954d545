import type { Right } from '../../src/contract/rights.ts'
import { aStoredMessage } from './messages.ts'
import type { TestApp } from './test-app.ts'

/** Who calls, and whom and what the call may be about; each call gets its own. */
export interface World {
  site: TestApp
  caller: { id: number; email: string; name: string }
  /** A user without a role for work. @returns the id */
  aTarget(): Promise<{ id: number; email: string }>
  /** A role without rights. @returns the id */
  anEmptyRole(): Promise<number>
}

/** What is expected of one route. */
export interface Row {
  /** Who may: everyone, whoever is signed in, who holds one of these, or who holds all of these. */
  may: 'everyone' | 'signed in' | readonly Right[] | { all: readonly Right[] }
  /**
   * What they get. A call that cannot be made whole here (a code of an app, an answer of an authenticator) is refused for
   * that: it came past the door, which is what this table is about.
   */
  status: number
  path?: (world: World) => Promise<string> | string
  body?: (world: World) => Promise<unknown> | unknown
}

const seeUsers = ['users.read', 'users.write'] as const
const writeUsers = ['users.write'] as const
const seeRoles = ['users.read', 'users.write', 'roles.write'] as const
const writeRoles = ['roles.write'] as const

const seeMessages = ['messages.read', 'messages.write'] as const
const writeMessages = ['messages.write'] as const

const aboutPeople = { all: ['messages.write', 'users.write'] } as const

const aMessage = ({ site }: World) => aStoredMessage(site, 'roya')
const messagePath = async (world: World) => `/messages/${await aMessage(world)}`
const seeFiles = ['files.write', 'pages.write'] as const
const writeFiles = ['files.write'] as const

const targetPath = async ({ aTarget }: World) => `/users/${(await aTarget()).id}`
const targetIds = async ({ aTarget }: World) => ({ ids: [(await aTarget()).id] })
const rolePath = async ({ anEmptyRole }: World) => `/roles/${await anEmptyRole()}`
const roleBody = () => ({ name: `Rol ${Math.random()}`, rights: [] })
const password = () => ({ password: 'geheim-123' })

/** Every route of the description, in its groups. A route without its row fails the matrix. */
export const rows: Record<string, Row> = {
  'post /contact': { may: 'everyone', status: 422, body: () => ({}) },

  // Signing in and out.
  'post /login': { may: 'everyone', status: 422, body: () => ({}) },
  'post /login/code': { may: 'everyone', status: 401, body: () => ({ code: '123456' }) },
  'post /login/passkey/options': { may: 'everyone', status: 200 },
  'post /login/passkey': { may: 'everyone', status: 422, body: () => ({}) },
  'post /logout': { may: 'everyone', status: 200 },
  'post /confirm': { may: 'signed in', status: 204, body: password },
  'get /me': { may: 'signed in', status: 200 },
  'get /dashboard': { may: 'signed in', status: 200 },

  // The own profile.
  'get /profile': { may: 'signed in', status: 200 },
  'put /profile': {
    may: 'signed in',
    status: 200,
    body: ({ caller }) => ({ name: caller.name, email: caller.email, locale: 'nl' }),
  },
  'delete /profile/new-email': { may: 'signed in', status: 404 },
  'get /profile/sessions': { may: 'signed in', status: 200 },
  'delete /profile/sessions': { may: 'signed in', status: 204 },
  'delete /profile/sessions/{id}': { may: 'signed in', status: 404, path: () => '/profile/sessions/999999' },
  'post /profile/two-factor': { may: 'signed in', status: 200 },
  'post /profile/two-factor/verify': { may: 'signed in', status: 422, body: () => ({}) },
  'post /profile/two-factor/recovery-codes': { may: 'signed in', status: 409 },
  'delete /profile/two-factor': { may: 'signed in', status: 409, body: password },
  'post /profile/passkeys/options': { may: 'signed in', status: 200 },
  'post /profile/passkeys': { may: 'signed in', status: 422, body: () => ({}) },
  'patch /profile/passkeys/{id}': {
    may: 'signed in',
    status: 404,
    path: () => '/profile/passkeys/999999',
    body: () => ({ name: 'Sleutel' }),
  },
  'delete /profile/passkeys/{id}': { may: 'signed in', status: 404, path: () => '/profile/passkeys/999999' },

  // Users.
  'get /users': { may: seeUsers, status: 200 },
  'post /users': { may: writeUsers, status: 201, body: () => ({ email: `nieuw${Math.random()}@example.nl` }) },
  'get /users/export': { may: seeUsers, status: 200 },
  'post /users/export': { may: seeUsers, status: 200, body: targetIds },
  'post /users/block': { may: writeUsers, status: 200, body: targetIds },
  'post /users/unblock': { may: writeUsers, status: 200, body: targetIds },
  'post /users/role': {
    may: writeUsers,
    status: 200,
    body: async (world) => ({ ...(await targetIds(world)), roleId: await world.anEmptyRole() }),
  },
  'get /users/{id}': { may: seeUsers, status: 200, path: targetPath },
  'put /users/{id}': {
    may: writeUsers,
    status: 200,
    path: targetPath,
    body: () => ({ email: `anders${Math.random()}@example.nl` }),
  },
  'delete /users/{id}': { may: writeUsers, status: 204, path: targetPath },
  'post /users/{id}/password-link': {
    may: writeUsers,
    status: 200,
    path: async (world) => `${await targetPath(world)}/password-link`,
    body: () => ({ by: 'show' }),
  },
  'delete /users/{id}/two-factor': {
    may: writeUsers,
    status: 409,
    path: async (world) => `${await targetPath(world)}/two-factor`,
  },
  'post /notification/email': {
    may: writeUsers,
    status: 200,
    body: async ({ aTarget }) => ({ brandingId: 1, templateId: 'newUser', to: (await aTarget()).email }),
  },

  // Messages.
  'get /messages': { may: seeMessages, status: 200 },
  'get /messages/inbox': { may: seeMessages, status: 200 },
  'get /messages/export': { may: seeMessages, status: 200 },
  'post /messages/read': {
    may: seeMessages,
    status: 200,
    body: async (world) => ({ ids: [await aMessage(world)], read: true }),
  },
  'post /messages/answered': {
    may: writeMessages,
    status: 200,
    body: async (world) => ({ ids: [await aMessage(world)], answered: true }),
  },
  'post /messages/spam': {
    may: writeMessages,
    status: 200,
    body: async (world) => ({ ids: [await aMessage(world)], spam: true }),
  },
  'post /messages/delete': {
    may: writeMessages,
    status: 200,
    body: async (world) => ({ ids: [await aMessage(world)] }),
  },
  'get /messages/{id}': { may: seeMessages, status: 200, path: messagePath },
  'put /messages/{id}': { may: writeMessages, status: 200, path: messagePath, body: () => ({ note: 'Bellen' }) },
  'delete /messages/{id}': { may: writeMessages, status: 204, path: messagePath },
  'post /messages/{id}/reply': {
    may: writeMessages,
    status: 201,
    path: async (world) => `${await messagePath(world)}/reply`,
    body: () => ({ text: 'Wij bellen u morgen.' }),
  },

  // Mail.
  'get /outbox': { may: ['mail.read'], status: 200 },
  'get /outbox/counts': { may: ['mail.read'], status: 200 },
  'post /outbox/retry': { may: ['mail.read'], status: 200, body: () => ({ ids: [999_999] }) },
  'get /outbox/templates': { may: ['mail.read'], status: 200 },
  'get /outbox/templates/{kind}': {
    may: ['mail.read'],
    status: 200,
    path: () => '/outbox/templates/newUser?locale=fa',
  },

  // Privacy.
  'post /privacy/search': { may: aboutPeople, status: 200, body: () => ({ email: 'niemand@elders.example' }) },
  'post /privacy/export': { may: aboutPeople, status: 422, body: () => ({ email: 'niemand@elders.example' }) },
  'post /privacy/erase': { may: aboutPeople, status: 422, body: () => ({ email: 'niemand@elders.example' }) },

  // Roles and rights.
  'get /roles': { may: seeRoles, status: 200 },
  'post /roles': { may: writeRoles, status: 201, body: roleBody },
  'get /roles/{id}': { may: seeRoles, status: 200, path: rolePath },
  'put /roles/{id}': { may: writeRoles, status: 200, path: rolePath, body: roleBody },
  'delete /roles/{id}': { may: writeRoles, status: 204, path: rolePath },
  'get /rights': { may: 'signed in', status: 200 },

  // Files.
  'get /files': { may: seeFiles, status: 200 },
  'get /files/choices': { may: seeFiles, status: 200 },
  'post /files': { may: writeFiles, status: 422, path: () => '/files?name=leeg.png' },
  'get /files/{id}': { may: seeFiles, status: 404, path: () => '/files/999999' },
  'get /files/{id}/whole': { may: seeFiles, status: 404, path: () => '/files/999999/whole' },
  'put /files/{id}': { may: writeFiles, status: 404, path: () => '/files/999999', body: () => ({}) },
  'put /files/{id}/content': { may: writeFiles, status: 404, path: () => '/files/999999/content' },
  'post /files/{id}/pictures': { may: writeFiles, status: 404, path: () => '/files/999999/pictures' },
  'delete /files/{id}': { may: writeFiles, status: 404, path: () => '/files/999999' },

  'get /audit': { may: ['audit.read'], status: 200 },
}
