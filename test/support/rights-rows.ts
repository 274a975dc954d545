import type { Right } from '../../src/contract/rights.ts'
import { aStoredMessage } from './messages.ts'
import { aPage } from './pages.ts'
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

const seePages = ['pages.write', 'pages.publish'] as const
const writePages = ['pages.write'] as const
const publishPages = ['pages.publish'] as const
const pagePath =
  (rest = '') =>
  async ({ site }: World) =>
    `/pages/${await aPage(site)}${rest}`
const pageText = {
  title: 'Ons werk',
  slug: 'ons-werk-anders',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [],
}
const tab = 'tabblad-1'
const writeConfig = ['config.write'] as const

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
  'get /dashboard/messages': { may: seeMessages, status: 200 },
  'get /dashboard/views': { may: ['pages.write', 'config.write'], status: 200 },

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

  'post /scene': { may: ['pages.write', 'config.write'], status: 200, body: () => ({ pictures: [] }) },
  // Pages.
  'get /pages': { may: seePages, status: 200 },
  'get /pages/slug': { may: writePages, status: 200, path: () => '/pages/slug?title=Werk&locale=nl' },
  'post /pages': { may: writePages, status: 201, body: () => ({ title: 'Ons werk', locale: 'nl' }) },
  'get /pages/{id}': { may: seePages, status: 200, path: pagePath() },
  'post /pages/{id}/duplicate': { may: writePages, status: 201, path: pagePath('/duplicate') },
  'post /pages/{id}/bin': { may: writePages, status: 200, path: pagePath('/bin') },
  'post /pages/{id}/restore': { may: writePages, status: 409, path: pagePath('/restore') },
  'delete /pages/{id}': { may: writePages, status: 409, path: pagePath() },
  'get /pages/{id}/{locale}': { may: seePages, status: 200, path: pagePath('/nl') },
  'put /pages/{id}/{locale}': {
    may: writePages,
    status: 200,
    path: pagePath('/nl'),
    body: () => ({ text: { ...pageText, slug: `ons-werk-${Math.random()}`.replace('.', '-') }, version: 1 }),
  },
  'post /pages/{id}/{locale}/publish': {
    may: publishPages,
    status: 200,
    path: pagePath('/nl/publish'),
    body: () => ({ version: 1 }),
  },
  'post /pages/{id}/{locale}/unpublish': {
    may: publishPages,
    status: 200,
    path: pagePath('/nl/unpublish'),
    body: () => ({ version: 1 }),
  },
  'put /pages/{id}/{locale}/plan': {
    may: publishPages,
    status: 200,
    path: pagePath('/nl/plan'),
    body: () => ({ version: 1, publishAt: new Date(Date.now() + 86_400_000).toISOString(), unpublishAt: null }),
  },
  'post /pages/{id}/{locale}/preview': { may: seePages, status: 201, path: pagePath('/nl/preview') },
  'get /pages/{id}/{locale}/draft': { may: writePages, status: 404, path: pagePath('/nl/draft') },
  'put /pages/{id}/{locale}/draft': {
    may: writePages,
    status: 200,
    path: pagePath('/nl/draft'),
    body: () => ({ text: pageText, editor: tab, number: 1, baseVersion: 1, knownNumber: 0 }),
  },
  'delete /pages/{id}/{locale}/draft': { may: writePages, status: 404, path: pagePath('/nl/draft') },
  'put /pages/{id}/{locale}/presence': {
    may: seePages,
    status: 200,
    path: pagePath('/nl/presence'),
    body: () => ({ editor: tab }),
  },
  'delete /pages/{id}/{locale}/presence': { may: seePages, status: 204, path: pagePath('/nl/presence') },
  'get /pages/{id}/{locale}/revisions': { may: seePages, status: 200, path: pagePath('/nl/revisions') },
  'get /pages/{id}/{locale}/revisions/{revision}': {
    may: seePages,
    status: 404,
    path: pagePath('/nl/revisions/999999'),
  },
  'post /pages/{id}/{locale}/revisions/{revision}/restore': {
    may: writePages,
    status: 404,
    path: pagePath('/nl/revisions/999999/restore'),
    body: () => ({ version: 1 }),
  },
  'post /pages/{id}/{locale}/undo': {
    may: writePages,
    status: 404,
    path: pagePath('/nl/undo'),
    body: () => ({ version: 1, revision: 999_999 }),
  },
  'get /redirects': { may: seePages, status: 200 },
  'post /redirects': {
    may: publishPages,
    status: 201,
    body: () => ({ from: `/oud-${Math.random()}`, to: '/disclaimer' }),
  },
  'put /redirects/{id}': {
    may: publishPages,
    status: 404,
    path: () => '/redirects/999999',
    body: () => ({ from: '/oud', to: '/disclaimer' }),
  },
  'delete /redirects/{id}': { may: publishPages, status: 404, path: () => '/redirects/999999' },
  // Configuration.
  'get /config': { may: writeConfig, status: 200 },
  'put /config': { may: writeConfig, status: 409, body: () => ({ version: 999_999, config: {} }) },
  'get /config/export': { may: writeConfig, status: 200 },
  'post /config/check': { may: writeConfig, status: 422, body: () => ({ file: '{}' }) },
  'post /config/import': { may: writeConfig, status: 409, body: () => ({ version: 999_999, file: '{}' }) },
  'get /config/revisions': { may: writeConfig, status: 200 },
  'get /config/revisions/{id}': { may: writeConfig, status: 404, path: () => '/config/revisions/999999' },
  'post /config/revisions/{id}/restore': {
    may: writeConfig,
    status: 409,
    path: () => '/config/revisions/999999/restore',
    body: () => ({ version: 999_999 }),
  },

  'get /audit': { may: ['audit.read'], status: 200 },
}
