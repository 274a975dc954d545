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
  /** Ten shades of each colour, from light to dark; of `dark`, from text to background. */
  shades: { brand: string[]; gray: string[]; dark: string[] }
}

/** The settings screens, the most used first. */
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

const parameters = {
  id: '\\d+',
  locale: '[a-z]{2,3}(?:-[A-Za-z\\d]{2,8})*',
  part: configScreens.join('|'),
  section: '[0-9a-f]{32}',
}
const adminPath = new RegExp(
  `^(?:${adminPaths.map((path) => path.replace(/\$(id|locale|part|section)/g, (_, name: keyof typeof parameters) => `(?:${parameters[name]})`)).join('|')})/?$`,
)
export const isAdminPath = (path: string): boolean => adminPath.test(path)

/** The id of the element that holds the data, as JSON. */
export const adminInitialDataId = 'initial-data'

/**
 * The header by which a window of the admin names the user whom it shows. Windows of one browser share its session, which may
 * meanwhile be that of another user: the request is then answered as without a session.
 */
export const shownUserHeader = 'X-User-Id'

/** The cookie that stores the admin's colour scheme, light or dark. */
export const schemeCookie = 'scheme'
