import type { z } from 'zod'
import type { HealthProblems } from './health.ts'
import type { SiteLanguages } from './locales.ts'
import type { me } from './profile.ts'

export type Me = z.infer<typeof me>

/** Initial data that the server embeds in the admin's HTML, so that the first screen needs no request. */
export interface AdminInitialData {
  me: Me
  brand: string
  logoUrl: string
  languages: SiteLanguages
  /** Whether a mail server is configured; without one, emails are only written to files. */
  sendsMail: boolean
  problems: HealthProblems
  /** Ten shades per colour, from light to dark. `dark`, for dark mode: from the text colour to the background. */
  shades: { brand: string[]; gray: string[]; dark: string[] }
}

/** The settings screens, in the order of the menu: the most used come first. */
export const configScreens = [
  'brand',
  'logo',
  'palette',
  'look',
  'offer',
  'collections',
  'business',
  'menu',
  'navbar',
  'footer',
  'seo',
  'contact',
  'forms',
  'spam',
  'retention',
  'sender',
  'legal',
  'locales',
  'texts',
] as const
export type ConfigScreen = (typeof configScreens)[number]

/** The admin's routes. */
export const adminPaths = [
  '/user',
  '/admin',
  '/admin/audit',
  '/admin/backups',
  '/admin/config',
  '/admin/config/$part',
  '/admin/config/mail',
  '/admin/config/revisions',
  '/admin/config/revisions/$id',
  '/admin/files',
  '/admin/files/$id',
  '/admin/health',
  '/admin/links',
  '/admin/mail',
  '/admin/mail/letters',
  '/admin/messages',
  '/admin/messages/$id',
  '/admin/pages',
  '/admin/pages/$id/$locale',
  '/admin/pages/$id/$locale/history',
  '/admin/pages/new',
  '/admin/privacy',
  '/admin/profile',
  '/admin/redirects',
  '/admin/roles',
  '/admin/roles/$id',
  '/admin/roles/new',
  '/admin/sections',
  '/admin/sections/$section',
  '/admin/sections/$section/$locale/history',
  '/admin/statistics',
  '/admin/users',
  '/admin/users/$id',
  '/admin/users/new',
] as const

/** The patterns of the parameters in `adminPaths`. */
const patterns = {
  id: '\\d+',
  locale: '[a-z]{2,3}(?:-[A-Za-z\\d]{2,8})*',
  part: configScreens.join('|'),
  section: '[0-9a-f]{32}',
}
const patternOf = (path: string) =>
  path.replace(/\$(id|locale|part|section)/g, (_, name: keyof typeof patterns) => `(?:${patterns[name]})`)
const adminPath = new RegExp(`^(?:${adminPaths.map(patternOf).join('|')})/?$`)
/** Whether a URL path is a screen of the admin, so that the server responds with the admin's HTML. */
export const isAdminPath = (path: string): boolean => adminPath.test(path)

/** The id of the element with `AdminInitialData` as JSON. */
export const adminInitialDataId = 'initial-data'

/**
 * The request header with the id of the user whom this browser tab of the admin shows. All tabs share one session
 * cookie, which may by now be that of another user: then the server treats the request as one without a session.
 */
export const shownUserHeader = 'X-User-Id'

/** The cookie that stores the admin's colour scheme, light or dark. */
export const schemeCookie = 'scheme'
