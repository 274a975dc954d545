import { type Locale, localizedPath } from '../../contract/locales.ts'

/** What `/login` says at first, by the word in its address: `/login?melding=gewijzigd`. Other words say nothing. */
const notices = {
  gewijzigd: 'passwordSet',
  bevestigd: 'emailConfirmed',
  klaar: 'ready',
  opnieuw: 'again',
  stil: 'providerSilent',
  geweigerd: 'providerRefused',
} as const
export type Notice = keyof typeof notices

const noticeField = 'melding'

/** The address of `/login`, where it then stands. */
export const loginWith = (notice: Notice, locale: Locale): string =>
  `${localizedPath('/login', locale)}?${noticeField}=${notice}`

/** What is to be said, and whether it is about something that failed. */
export function noticeIn(query: URLSearchParams): { key: (typeof notices)[Notice]; bad: boolean } | undefined {
  const word = query.get(noticeField) ?? ''
  if (!Object.hasOwn(notices, word)) return undefined
  const notice = word as Notice
  return { key: notices[notice], bad: notice === 'opnieuw' || notice === 'stil' || notice === 'geweigerd' }
}
