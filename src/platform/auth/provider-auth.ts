import type { Auth } from './auth.ts'
import { oidcProvider } from './paths.ts'

const patienceMs = 5_000

/**
 * The instance for the identity provider, apart from the one for passwords: Better Auth asks for the discovery document
 * while it starts, without a limit of time, and remembers a failure for ever.
 * @param make an instance with the provider
 * @returns what gives the instance, and rejects while the provider does not answer as the issuer it should be
 */
export function providerAuth(make: () => Auth | Promise<Auth>, issuer: string): () => Promise<Auth> {
  let made: Promise<Auth> | undefined
  const start = async () => {
    const auth = await make()
    const context = await Promise.race([auth.$context, patience()])
    const provider = context.socialProviders.find((one) => one.id === oidcProvider)
    if ((provider as { issuer?: string } | undefined)?.issuer !== issuer) {
      throw new Error('the identity provider has no usable discovery document, or one of another issuer')
    }
    return auth
  }
  return () => {
    made ??= start().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

const patience = () =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('the identity provider does not answer')), patienceMs).unref()
  })
