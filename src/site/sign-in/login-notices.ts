import { type Locale, localizedPath, type SiteLanguages } from '../../contract/locales.ts'

/** The notices on `/login`: the value in its URL (`?melding=gewijzigd`), and the key in `signIn.notice`. */
const notices = {
  gewijzigd: 'passwordSet',
  bevestigd: 'emailConfirmed',
  /** The first administrator was created. */
  klaar: 'ready',
  /** The second step expired, or had too many wrong codes. */
  opnieuw: 'again',
  stil: 'providerSilent',
  geweigerd: 'providerRefused',
} as const
type Notice = keyof typeof notices

const noticeParameter = 'melding'

/** The URL of `/login` with a notice. */
export const loginUrlWithNotice = (notice: Notice, locale: Locale, site: Pick<SiteLanguages, 'rootLocale'>): string =>
  `${localizedPath('/login', locale, site)}?${noticeParameter}=${notice}`

/** The notice in a query: the key of its text, and whether it is an error. Undefined for other values. */
export function readNotice(query: URLSearchParams): { key: (typeof notices)[Notice]; isError: boolean } | undefined {
  const value = query.get(noticeParameter) ?? ''
  if (!Object.hasOwn(notices, value)) return undefined
  const notice = value as Notice
  return { key: notices[notice], isError: notice === 'opnieuw' || notice === 'stil' || notice === 'geweigerd' }
}
