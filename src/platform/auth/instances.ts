import { LRUCache } from 'lru-cache'
import type { Settings } from '../config/settings.ts'
import type { Database } from '../db/database.ts'
import { lazy } from '../lazy.ts'
import type { Log } from '../log/log.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Auth } from './auth.ts'
import { oidcProvider } from './paths.ts'

/** Only one with BASE_URL; without it the site can be reached by several origins. */
const maxInstances = 4

interface AuthInstances {
  /** Better Auth for requests by this origin, to which its cookies and passkeys are bound. */
  auth(reached: string): Promise<Auth>
  /** The same with the identity provider; rejects while the provider does not answer. */
  withProvider(reached: string): Promise<Auth>
}

/** Creates each instance at its first use, which loads Better Auth. */
export function authInstances(options: {
  db: Database
  secret: string
  brand: () => string
  oidc: Settings['oidc']
  log: Log
}): AuthInstances {
  const { db, secret, brand, oidc, log } = options
  const make = async (origin: string, provider: Settings['oidc']) => {
    const { createAuth } = await import('./auth.ts')
    return createAuth({ db, origin, secret, brand: brand(), oidc: provider, log })
  }
  // The name of the site, which passkeys carry, may change.
  const keyOf = (origin: string) => `${origin} ${brand()}`
  const plain = new LRUCache<string, () => Promise<Auth>>({ max: maxInstances })
  const provided = new LRUCache<string, () => Promise<Auth>>({ max: maxInstances })
  return {
    auth(reached) {
      const known = plain.get(keyOf(reached)) ?? lazy(() => make(reached, undefined))
      plain.set(keyOf(reached), known)
      return known()
    },
    async withProvider(reached) {
      if (!oidc) throw new Error('there is no identity provider')
      const known = provided.get(keyOf(reached)) ?? providerAuth(() => make(reached, oidc), oidc.issuer)
      provided.set(keyOf(reached), known)
      return known()
    },
  }
}

const timeoutMs = 5_000

/**
 * The instance for the identity provider, separate from the one for passwords: Better Auth fetches the discovery
 * document while it starts, without a timeout, and remembers a failure for ever.
 * @param make creates an instance with the provider
 * @returns resolves to the instance; rejects while the provider does not answer as the expected issuer
 */
function providerAuth(make: () => Auth | Promise<Auth>, issuer: string): () => Promise<Auth> {
  return lazy(async () => {
    const auth = await make()
    const context = await withTimeout(auth.$context, timeoutMs)
    const provider = context.socialProviders.find((one) => one.id === oidcProvider)
    if ((provider as { issuer?: string } | undefined)?.issuer !== issuer) {
      throw new Error('the identity provider has no usable discovery document, or one of another issuer')
    }
    return auth
  })
}
