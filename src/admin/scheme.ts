import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { schemeCookie } from '../contract/admin-start.ts'

const year = 365 * 86_400

/** Keeps light or dark in a cookie, so that the server's page is right before a script has run. */
export const schemeManager: MantineColorSchemeManager = {
  get: (otherwise) => {
    const kept = document.cookie.match(new RegExp(`(?:^|; )${schemeCookie}=(light|dark)`))?.[1]
    return (kept as MantineColorScheme | undefined) ?? otherwise
  },
  set: (value) => keep(value === 'auto' ? undefined : value),
  clear: () => keep(undefined),
  subscribe: () => {},
  unsubscribe: () => {},
}

function keep(value: string | undefined) {
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is not in every browser yet, and answers later
  document.cookie = `${schemeCookie}=${value ?? ''}; path=/; max-age=${value ? year : 0}; samesite=lax`
}
