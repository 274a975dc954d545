import { type Right, rights } from '../../src/contract/rights.ts'
import { sendMessage } from './messages.ts'
import { aPage } from './pages.ts'
import type { TestApp } from './test-app.ts'

/** The caller of a route, and what makes the user or role that the call is about. Each call gets a new one of these. */
export interface CallSetup {
  site: TestApp
  caller: { id: number; email: string; name: string }
  /** Adds a user with only the base role. */
  aTarget(): Promise<{ id: number; email: string }>
  /** Adds a role without rights. @returns its id */
  anEmptyRole(): Promise<number>
}

/** The expected access of one route. */
export interface ApiRouteAccess {
  /** Who may call it: everyone, any signed-in user, a user with one of the listed rights, or a user with `all` of them. */
  allowed: 'everyone' | 'signed in' | readonly Right[] | { all: readonly Right[] }
  /**
   * The status for those who may call it. It may be a refusal for another reason than access, such as a missing code of an
   * authenticator app: that check comes after the access check, which is all that this table tests.
   */
  status: number
  /** The path below `/api`; without it the path in the name of the route. */
  path?: (setup: CallSetup) => Promise<string> | string
  body?: (setup: CallSetup) => Promise<unknown> | unknown
}

const seeUsers = ['users.read', 'users.write'] as const
const writeUsers = ['users.write'] as const
const seeRoles = ['users.read', 'users.write', 'roles.write'] as const
const writeRoles = ['roles.write'] as const

const seeMessages = ['messages.read', 'messages.write'] as const
const writeMessages = ['messages.write'] as const

const privacyRights = { all: ['messages.write', 'users.write'] } as const

const addMessage = ({ site }: CallSetup) => sendMessage(site, 'roya')
const messagePath = async (setup: CallSetup) => `/messages/${await addMessage(setup)}`
const seeFiles = ['files.write', 'pages.write'] as const
const writeFiles = ['files.write'] as const

const seePages = ['pages.write', 'pages.publish'] as const
const writePages = ['pages.write'] as const
const publishPages = ['pages.publish'] as const
/** @param rest what follows the id in the path of a new page */
const pagePath =
  (rest = '') =>
  async ({ site }: CallSetup) =>
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
/** Backup 1 is the one of `aRunningBackup`, which never ends, and only a finished backup can be opened. */
const accessToUnfinishedBackup = (path: string, body: object): ApiRouteAccess => ({
  ...{ allowed: { all: rights }, status: 404, path: () => `/backups/1/${path}`, body: () => body },
})
/** Refused, because the folder is a relative path, so nothing is stored. */
const invalidBackupSettings = {
  ...{ scheduled: false, time: '03:00', daily: 7, weekly: 5, monthly: 12, kind: 'folder', folder: 'nergens' },
  ...{ endpoint: '', region: '', bucket: '', prefix: '', accessKeyId: '' },
}
const tabId = 'tabblad-1'
const writeConfig = ['config.write'] as const

const targetPath = async ({ aTarget }: CallSetup) => `/users/${(await aTarget()).id}`
const targetIds = async ({ aTarget }: CallSetup) => ({ ids: [(await aTarget()).id] })
const rolePath = async ({ anEmptyRole }: CallSetup) => `/roles/${await anEmptyRole()}`
const roleBody = () => ({ name: `Rol ${Math.random()}`, rights: [] })
const password = () => ({ password: 'geheim-123' })

/** The expected access by method and path of the API description. `rights-matrix.test.ts` fails for a route without a row. */
export const apiRoutes: Record<string, ApiRouteAccess> = {
  'get /messages/{id}/files/{file}': {
    allowed: seeMessages,
    status: 404,
    path: async (setup) => `${await messagePath(setup)}/files/1`,
  },
  'post /forms/{id}': { allowed: 'everyone', status: 404, path: () => '/forms/bestaat-niet', body: () => ({}) },
  'get /checks': { allowed: 'everyone', status: 200, path: () => '/checks?form=contact' },
  'get /checks/{token}': { allowed: 'everyone', status: 404, path: () => '/checks/1.x' },
  'post /checks/{token}': { allowed: 'everyone', status: 422, path: () => '/checks/1.x', body: () => ({}) },
  'post /checks/{token}/answer': { allowed: 'everyone', status: 404, path: () => '/checks/1.x/answer' },
  'get /forms/appointments/{file}': { allowed: 'everyone', status: 404, path: () => '/forms/appointments/1.ics' },
  'post /contact': { allowed: 'everyone', status: 422, body: () => ({}) },

  // Signing in and out.
  'post /login': { allowed: 'everyone', status: 422, body: () => ({}) },
  'post /login/code': { allowed: 'everyone', status: 401, body: () => ({ code: '123456' }) },
  'post /login/passkey/options': { allowed: 'everyone', status: 200 },
  'post /login/passkey': { allowed: 'everyone', status: 422, body: () => ({}) },
  'post /logout': { allowed: 'everyone', status: 200 },
  'post /confirm': { allowed: 'signed in', status: 204, body: password },
  'get /me': { allowed: 'signed in', status: 200 },
  'get /dashboard': { allowed: 'signed in', status: 200 },
  'put /dashboard/start': { allowed: 'signed in', status: 204, body: () => ({ hidden: true }) },
  'get /dashboard/messages': { allowed: seeMessages, status: 200 },
  'get /dashboard/views': { allowed: ['pages.write', 'config.write'], status: 200 },
  'get /pages/{id}/links': { allowed: seePages, status: 200, path: pagePath('/links') },
  'get /links/dead': { allowed: seePages, status: 200 },
  'post /links/foreign/check': { allowed: seePages, status: 422, body: () => ({ after: 1 }) },
  'get /health': { allowed: ['config.write'], status: 200 },
  'get /health/problems': { allowed: 'signed in', status: 200 },
  'get /health/alarms': { allowed: ['config.write'], status: 200 },
  'put /health/alarms': {
    allowed: ['config.write'],
    status: 200,
    body: () => ({ people: [], reports: [], webhook: null }),
  },
  'get /dashboard/statistics': { allowed: ['pages.write', 'config.write'], status: 200 },

  // The caller's own profile.
  'get /profile': { allowed: 'signed in', status: 200 },
  'put /profile': {
    allowed: 'signed in',
    status: 200,
    body: ({ caller }) => ({ name: caller.name, email: caller.email, locale: 'nl' }),
  },
  'delete /profile/new-email': { allowed: 'signed in', status: 404 },
  'get /profile/sessions': { allowed: 'signed in', status: 200 },
  'delete /profile/sessions': { allowed: 'signed in', status: 204 },
  'delete /profile/sessions/{id}': { allowed: 'signed in', status: 404, path: () => '/profile/sessions/999999' },
  'post /profile/two-factor': { allowed: 'signed in', status: 200 },
  'post /profile/two-factor/verify': { allowed: 'signed in', status: 422, body: () => ({}) },
  'post /profile/two-factor/recovery-codes': { allowed: 'signed in', status: 409 },
  'delete /profile/two-factor': { allowed: 'signed in', status: 409, body: password },
  'post /profile/passkeys/options': { allowed: 'signed in', status: 200 },
  'post /profile/passkeys': { allowed: 'signed in', status: 422, body: () => ({}) },
  'patch /profile/passkeys/{id}': {
    allowed: 'signed in',
    status: 404,
    path: () => '/profile/passkeys/999999',
    body: () => ({ name: 'Sleutel' }),
  },
  'delete /profile/passkeys/{id}': { allowed: 'signed in', status: 404, path: () => '/profile/passkeys/999999' },

  // Users.
  'get /users': { allowed: seeUsers, status: 200 },
  'post /users': { allowed: writeUsers, status: 201, body: () => ({ email: `nieuw${Math.random()}@example.nl` }) },
  'get /users/export': { allowed: seeUsers, status: 200 },
  'post /users/export': { allowed: seeUsers, status: 200, body: targetIds },
  'post /users/block': { allowed: writeUsers, status: 200, body: targetIds },
  'post /users/unblock': { allowed: writeUsers, status: 200, body: targetIds },
  'post /users/role': {
    allowed: writeUsers,
    status: 200,
    body: async (setup) => ({ ...(await targetIds(setup)), roleId: await setup.anEmptyRole() }),
  },
  'get /users/{id}': { allowed: seeUsers, status: 200, path: targetPath },
  'put /users/{id}': {
    allowed: writeUsers,
    status: 200,
    path: targetPath,
    body: () => ({ email: `anders${Math.random()}@example.nl` }),
  },
  'delete /users/{id}': { allowed: writeUsers, status: 204, path: targetPath },
  'post /users/{id}/password-link': {
    allowed: writeUsers,
    status: 200,
    path: async (setup) => `${await targetPath(setup)}/password-link`,
    body: () => ({ by: 'show' }),
  },
  'delete /users/{id}/two-factor': {
    allowed: writeUsers,
    status: 409,
    path: async (setup) => `${await targetPath(setup)}/two-factor`,
  },
  'post /notification/email': {
    allowed: writeUsers,
    status: 200,
    body: async ({ aTarget }) => ({ brandingId: 1, templateId: 'newUser', to: (await aTarget()).email }),
  },

  // Messages.
  'get /messages': { allowed: seeMessages, status: 200 },
  'get /messages/inbox': { allowed: seeMessages, status: 200 },
  'get /messages/export': { allowed: seeMessages, status: 200 },
  'post /messages/read': {
    allowed: seeMessages,
    status: 200,
    body: async (setup) => ({ ids: [await addMessage(setup)], read: true }),
  },
  'post /messages/answered': {
    allowed: writeMessages,
    status: 200,
    body: async (setup) => ({ ids: [await addMessage(setup)], answered: true }),
  },
  'post /messages/spam': {
    allowed: writeMessages,
    status: 200,
    body: async (setup) => ({ ids: [await addMessage(setup)], spam: true }),
  },
  'post /messages/delete': {
    allowed: writeMessages,
    status: 200,
    body: async (setup) => ({ ids: [await addMessage(setup)] }),
  },
  'get /messages/{id}': { allowed: seeMessages, status: 200, path: messagePath },
  'put /messages/{id}': { allowed: writeMessages, status: 200, path: messagePath, body: () => ({ note: 'Bellen' }) },
  'delete /messages/{id}': { allowed: writeMessages, status: 204, path: messagePath },
  'post /messages/{id}/reply': {
    allowed: writeMessages,
    status: 201,
    path: async (setup) => `${await messagePath(setup)}/reply`,
    body: () => ({ text: 'Wij bellen u morgen.' }),
  },

  // Mail.
  'get /outbox': { allowed: ['mail.read'], status: 200 },
  'get /outbox/counts': { allowed: ['mail.read'], status: 200 },
  'post /outbox/retry': { allowed: ['mail.read'], status: 200, body: () => ({ ids: [999_999] }) },
  'get /outbox/templates': { allowed: ['mail.read'], status: 200 },
  'get /outbox/templates/{kind}': {
    allowed: ['mail.read'],
    status: 200,
    path: () => '/outbox/templates/newUser?locale=fa',
  },

  // Privacy.
  'post /privacy/search': { allowed: privacyRights, status: 200, body: () => ({ email: 'niemand@elders.example' }) },
  'post /privacy/export': { allowed: privacyRights, status: 422, body: () => ({ email: 'niemand@elders.example' }) },
  'post /privacy/erase': { allowed: privacyRights, status: 422, body: () => ({ email: 'niemand@elders.example' }) },

  // Backups.
  'get /backups': { allowed: { all: rights }, status: 200 },
  'post /backups': { allowed: { all: rights }, status: 202 },
  'post /backups/proofs': { allowed: { all: rights }, status: 404 },
  'put /backups/settings': { allowed: { all: rights }, status: 422, body: () => invalidBackupSettings },
  'post /backups/try': { allowed: { all: rights }, status: 422, body: () => invalidBackupSettings },
  'post /backups/recovery-sheet': { allowed: { all: rights }, status: 200 },
  'post /backups/{id}/search': accessToUnfinishedBackup('search', { text: 'Roya' }),
  'post /backups/{id}/messages': accessToUnfinishedBackup('messages', { reference: 1 }),
  'post /backups/{id}/pages': accessToUnfinishedBackup('pages', { id: 1 }),

  // Roles and rights.
  'get /roles': { allowed: seeRoles, status: 200 },
  'post /roles': { allowed: writeRoles, status: 201, body: roleBody },
  'get /roles/{id}': { allowed: seeRoles, status: 200, path: rolePath },
  'put /roles/{id}': { allowed: writeRoles, status: 200, path: rolePath, body: roleBody },
  'delete /roles/{id}': { allowed: writeRoles, status: 204, path: rolePath },
  'get /rights': { allowed: 'signed in', status: 200 },

  // Files.
  'get /files': { allowed: seeFiles, status: 200 },
  'get /files/choices': { allowed: seeFiles, status: 200 },
  'post /files': { allowed: writeFiles, status: 422, path: () => '/files?name=leeg.png' },
  'get /files/{id}': { allowed: seeFiles, status: 404, path: () => '/files/999999' },
  'get /files/{id}/whole': { allowed: seeFiles, status: 404, path: () => '/files/999999/whole' },
  'put /files/{id}': { allowed: writeFiles, status: 404, path: () => '/files/999999', body: () => ({}) },
  'put /files/{id}/content': { allowed: writeFiles, status: 404, path: () => '/files/999999/content' },
  'post /files/{id}/pictures': { allowed: writeFiles, status: 404, path: () => '/files/999999/pictures' },
  'delete /files/{id}': { allowed: writeFiles, status: 404, path: () => '/files/999999' },

  'post /scene': { allowed: ['pages.write', 'config.write'], status: 200, body: () => ({ pictures: [] }) },
  // Pages.
  'get /pages': { allowed: seePages, status: 200 },
  'get /pages/languages': { allowed: seePages, status: 200 },
  'get /collections': { allowed: [...seePages, ...writeConfig], status: 200 },
  'get /pages/slug': { allowed: writePages, status: 200, path: () => '/pages/slug?title=Werk&locale=nl' },
  'post /pages': { allowed: writePages, status: 201, body: () => ({ title: 'Ons werk', locale: 'nl' }) },
  'get /pages/{id}': { allowed: seePages, status: 200, path: pagePath() },
  'post /pages/{id}/duplicate': { allowed: writePages, status: 201, path: pagePath('/duplicate') },
  'post /pages/{id}/bin': { allowed: writePages, status: 200, path: pagePath('/bin') },
  'post /pages/{id}/restore': { allowed: writePages, status: 409, path: pagePath('/restore') },
  'delete /pages/{id}': { allowed: writePages, status: 409, path: pagePath() },
  'get /pages/{id}/locks': { allowed: publishPages, status: 200, path: pagePath('/locks') },
  'put /pages/{id}/locks': {
    allowed: publishPages,
    status: 200,
    path: pagePath('/locks'),
    body: () => ({ block: null, roles: [] }),
  },
  'get /pages/{id}/{locale}': { allowed: seePages, status: 200, path: pagePath('/nl') },
  'put /pages/{id}/{locale}': {
    allowed: writePages,
    status: 200,
    path: pagePath('/nl'),
    body: () => ({ text: { ...pageText, slug: `ons-werk-${Math.random()}`.replace('.', '-') }, version: 1 }),
  },
  'post /pages/{id}/{locale}/publish': {
    allowed: publishPages,
    status: 200,
    path: pagePath('/nl/publish'),
    body: () => ({ version: 1 }),
  },
  'post /pages/{id}/{locale}/unpublish': {
    allowed: publishPages,
    status: 200,
    path: pagePath('/nl/unpublish'),
    body: () => ({ version: 1 }),
  },
  'put /pages/{id}/{locale}/plan': {
    allowed: publishPages,
    status: 200,
    path: pagePath('/nl/plan'),
    body: () => ({ version: 1, publishAt: new Date(Date.now() + 86_400_000).toISOString(), unpublishAt: null }),
  },
  'post /pages/{id}/{locale}/review': {
    allowed: writePages,
    status: 200,
    path: pagePath('/nl/review'),
    body: () => ({ version: 1, note: '' }),
  },
  'post /pages/{id}/{locale}/review/withdraw': {
    allowed: writePages,
    status: 409,
    path: pagePath('/nl/review/withdraw'),
    body: () => ({ number: 1 }),
  },
  'post /pages/{id}/{locale}/review/publish': {
    allowed: publishPages,
    status: 409,
    path: pagePath('/nl/review/publish'),
    body: () => ({ number: 1 }),
  },
  'post /pages/{id}/{locale}/review/return': {
    allowed: publishPages,
    status: 409,
    path: pagePath('/nl/review/return'),
    body: () => ({ number: 1, note: 'Nog niet af' }),
  },
  'post /pages/{id}/{locale}/preview': { allowed: seePages, status: 201, path: pagePath('/nl/preview') },
  'get /pages/{id}/{locale}/draft': { allowed: writePages, status: 404, path: pagePath('/nl/draft') },
  'put /pages/{id}/{locale}/draft': {
    allowed: writePages,
    status: 200,
    path: pagePath('/nl/draft'),
    body: () => ({ text: pageText, baseVersion: 1, revision: 0 }),
  },
  'delete /pages/{id}/{locale}/draft': { allowed: writePages, status: 404, path: pagePath('/nl/draft') },
  'put /pages/{id}/{locale}/presence': {
    allowed: seePages,
    status: 200,
    path: pagePath('/nl/presence'),
    body: () => ({ editor: tabId }),
  },
  'delete /pages/{id}/{locale}/presence': { allowed: seePages, status: 204, path: pagePath('/nl/presence') },
  'get /pages/{id}/{locale}/revisions': { allowed: seePages, status: 200, path: pagePath('/nl/revisions') },
  'get /pages/{id}/{locale}/revisions/{revision}': {
    allowed: seePages,
    status: 404,
    path: pagePath('/nl/revisions/999999'),
  },
  'post /pages/{id}/{locale}/revisions/{revision}/restore': {
    allowed: writePages,
    status: 404,
    path: pagePath('/nl/revisions/999999/restore'),
    body: () => ({ version: 1 }),
  },
  'post /pages/{id}/{locale}/undo': {
    allowed: writePages,
    status: 404,
    path: pagePath('/nl/undo'),
    body: () => ({ version: 1, revision: 999_999 }),
  },
  'get /redirects': { allowed: seePages, status: 200 },
  'post /redirects': {
    allowed: publishPages,
    status: 201,
    body: () => ({ from: `/oud-${Math.random()}`, to: '/disclaimer' }),
  },
  'put /redirects/{id}': {
    allowed: publishPages,
    status: 404,
    path: () => '/redirects/999999',
    body: () => ({ from: '/oud', to: '/disclaimer' }),
  },
  'delete /redirects/{id}': { allowed: publishPages, status: 404, path: () => '/redirects/999999' },
  'get /sections': { allowed: seePages, status: 200 },
  'post /sections': {
    allowed: writePages,
    status: 201,
    body: () => ({ name: `Sectie ${Math.random()}`, nl: [{ type: 'line' }] }),
  },
  'get /sections/{id}': { allowed: seePages, status: 404, path: () => `/sections/${'0'.repeat(32)}` },
  'put /sections/{id}': {
    allowed: writePages,
    status: 404,
    path: () => `/sections/${'0'.repeat(32)}`,
    body: () => ({ name: 'Sectie', nl: [{ type: 'line' }] }),
  },
  'delete /sections/{id}': { allowed: writePages, status: 404, path: () => `/sections/${'0'.repeat(32)}` },
  'get /sections/{id}/{locale}/revisions': {
    allowed: seePages,
    status: 404,
    path: () => `/sections/${'0'.repeat(32)}/nl/revisions`,
  },
  'get /sections/{id}/{locale}/revisions/{revision}': {
    allowed: seePages,
    status: 404,
    path: () => `/sections/${'0'.repeat(32)}/nl/revisions/1`,
  },
  'post /sections/{id}/{locale}/revisions/{revision}/restore': {
    allowed: writePages,
    status: 404,
    path: () => `/sections/${'0'.repeat(32)}/nl/revisions/1/restore`,
    body: () => ({ version: 1 }),
  },
  // Configuration.
  'get /config': { allowed: writeConfig, status: 200 },
  'put /config': { allowed: writeConfig, status: 409, body: () => ({ version: 999_999, config: {} }) },
  'get /config/texts/{locale}': { allowed: writeConfig, status: 200, path: () => '/config/texts/de' },
  'get /config/export': { allowed: writeConfig, status: 200 },
  'post /config/check': { allowed: writeConfig, status: 422, body: () => ({ file: '{}' }) },
  'post /config/import': { allowed: writeConfig, status: 409, body: () => ({ version: 999_999, file: '{}' }) },
  'get /config/menu/pages': { allowed: writeConfig, status: 200, path: () => '/config/menu/pages?ids=1' },
  'post /config/menu/items': {
    allowed: writeConfig,
    status: 409,
    body: () => ({ version: 999_999, locale: 'nl', page: 1 }),
  },
  'post /config/menu/take-over': { allowed: writeConfig, status: 409, body: () => ({ version: 999_999 }) },
  'get /mail-server': { allowed: writeConfig, status: 200 },
  'put /mail-server': { allowed: { all: rights }, status: 422, body: () => ({ version: 0 }) },
  'get /mail-server/checks': { allowed: writeConfig, status: 200 },
  'get /mail-server/mailbox': { allowed: writeConfig, status: 200 },
  'put /mail-server/mailbox': { allowed: { all: rights }, status: 422, body: () => ({ version: 0 }) },
  'post /mail-server/test': { allowed: writeConfig, status: 404 },
  'get /config/revisions': { allowed: writeConfig, status: 200 },
  'get /config/revisions/{id}': { allowed: writeConfig, status: 404, path: () => '/config/revisions/999999' },
  'post /config/revisions/{id}/restore': {
    allowed: writeConfig,
    status: 409,
    path: () => '/config/revisions/999999/restore',
    body: () => ({ version: 999_999 }),
  },

  'get /audit': { allowed: ['audit.read'], status: 200 },
}
