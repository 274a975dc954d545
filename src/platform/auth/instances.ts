import { LRUCache } from 'lru-cache'
import type { Settings } from '../config/settings.ts'
import type { Database } from '../db/database.ts'
import { lazy } from '../lazy.ts'
import type { Log } from '../log/log.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Auth } from './auth.ts'
import { oidcProvider } from './paths.ts'

/** With BASE_URL there is only one origin; without it the site can be reached by several. */
const maxInstances = 4

interface AuthInstances {
  /** Better Auth for requests to this origin, to which its cookies and passkeys are bound. */
  auth(origin: string): Promise<Auth>
  /** The same with the identity provider; rejects while the provider does not answer. */
  withProvider(origin: string): Promise<Auth>
}

/** The instances of Better Auth, one for each origin. Each is created at its first use, which loads Better Auth. */
export function authInstances(options: {
  db: Database
  secret: string
  brand: () => string
  oidc: Settings['oidc']
  log: Log
}): AuthInstances {
  const { db, secret, brand, oidc, log } = options
  const createInstance = async (origin: string, provider: Settings['oidc']) => {
    const { createAuth } = await import('./auth.ts')
    return createAuth({ db, origin, secret, brand: brand(), oidc: provider, log })
  }
  // Passkeys contain the name of the site, which may change.
  const keyOf = (origin: string) => `${origin} ${brand()}`
  const instances = new LRUCache<string, () => Promise<Auth>>({ max: maxInstances })
  const providerInstances = new LRUCache<string, () => Promise<Auth>>({ max: maxInstances })
  return {
    auth(origin) {
      const load = instances.get(keyOf(origin)) ?? lazy(() => createInstance(origin, undefined))
      instances.set(keyOf(origin), load)
      return load()
    },
    async withProvider(origin) {
      if (!oidc) throw new Error('there is no identity provider')
      const load =
        providerInstances.get(keyOf(origin)) ?? createProviderLoader(() => createInstance(origin, oidc), oidc.issuer)
      providerInstances.set(keyOf(origin), load)
      return load()
    },
  }
}

const providerTimeoutMs = 5_000

/**
 * The instance for the identity provider, separate from the one for passwords: Better Auth fetches the discovery
 * document while it starts, without a timeout, and never retries after a failure.
 * @param create creates an instance with the provider
 * @returns loads the instance; rejects while the provider does not answer as the expected issuer
 */
function createProviderLoader(create: () => Auth | Promise<Auth>, issuer: string): () => Promise<Auth> {
  return lazy(async () => {
    const auth = await create()
    const context = await withTimeout(auth.$context, providerTimeoutMs)
    const provider = context.socialProviders.find(({ id }) => id === oidcProvider)
    if ((provider as { issuer?: string } | undefined)?.issuer !== issuer) {
      throw new Error('the identity provider has no usable discovery document, or one of another issuer')
    }
    return auth
  })
}
