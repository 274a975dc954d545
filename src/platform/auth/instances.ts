import { LRUCache } from 'lru-cache'
import type { Settings } from '../config/settings.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import type { Auth } from './auth.ts'
import { providerAuth } from './provider-auth.ts'

/** There is one where BASE_URL is set; on a machine of one's own the site has several addresses. */
const remembered = 4

export interface AuthInstances {
  /** Better Auth for those who reached the site by this origin: it is what cookies and passkeys hold to. */
  auth(reached: string): Promise<Auth>
  /** The same with the external identity provider; rejects while that does not answer. */
  withProvider(reached: string): Promise<Auth>
}

/** Makes each instance when it is asked for first, which loads Better Auth. */
export function authInstances(parts: {
  db: Database
  secret: string
  brand: () => string
  oidc: Settings['oidc']
  log: Log
}): AuthInstances {
  const { db, secret, brand, oidc, log } = parts
  const make = async (origin: string, provider: Settings['oidc']) => {
    const { createAuth } = await import('./auth.ts')
    return createAuth({ db, origin, secret, brand: brand(), oidc: provider, log })
  }
  const plain = new LRUCache<string, Promise<Auth>>({ max: remembered })
  const provided = new LRUCache<string, () => Promise<Auth>>({ max: remembered })
  return {
    auth(reached) {
      const known = plain.get(reached) ?? make(reached, undefined)
      plain.set(reached, known)
      return known
    },
    async withProvider(reached) {
      if (!oidc) throw new Error('there is no identity provider')
      const known = provided.get(reached) ?? providerAuth(() => make(reached, oidc), oidc.issuer)
      provided.set(reached, known)
      return known()
    },
  }
}
