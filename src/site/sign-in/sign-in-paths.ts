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

/** Whether a URL path is that of a sign-in page, in any of their languages. */
export function isSignInPage(site: SiteLanguages, pathname: string): boolean {
  const { path } = splitLocale(pathname, signInLanguages(site))
  return (signInPaths as readonly string[]).includes(path)
}
