import { afterSignOut, defaultTarget, safeTarget } from '../../contract/sign-in.ts'

/** Paths of signing in and out, with or without a language: no place to be after signing in. */
const signInAndOutPaths = /^(?:\/[a-z\d-]+)?\/(?:login(?:\/code|\/oidc|\/oidc\/callback)?|logout)$/

/** The URL on this site to redirect to after signing in; the default for other sites and `signInAndOutPaths`. */
export function signInTarget(requested: string | null | undefined): string {
  const target = safeTarget(requested)
  return signInAndOutPaths.test(new URL(target, 'https://this-site.invalid').pathname) ? defaultTarget : target
}

/** The URL on this site to redirect to after signing out. */
export const signOutTarget = (requested: string | null | undefined) => safeTarget(requested, afterSignOut)

/** The query that passes a target on: `redirect=…`; empty for the default target. */
export const redirectQuery = (target: string) =>
  target === defaultTarget ? '' : `redirect=${encodeURIComponent(target)}`

/** Appends a query, unless it is empty. */
export const withQuery = (path: string, query: string) => (query ? `${path}?${query}` : path)
