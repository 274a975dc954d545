import { type SiteLanguages, signInLanguages, splitLocale } from '../../contract/locales.ts'

/** The paths of the sign-in pages, without a language. They are known before the pages are loaded. */
const signInPaths = [
  '/login',
  '/login/code',
  '/logout',
  '/wachtwoord-vergeten',
  '/wachtwoord',
  '/setup',
  '/email-bevestigen',
] as const
export type SignInPath = (typeof signInPaths)[number]

/** Whether a path is a sign-in page, in any language. */
export function isSignInPage(site: SiteLanguages, address: string): boolean {
  const { path } = splitLocale(address, signInLanguages(site))
  return (signInPaths as readonly string[]).includes(path)
}
