/** The used part of `oidc-provider`, which has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export default class Provider {
    constructor(
      issuer: string,
      options: Record<string, unknown> & {
        findAccount: (
          context: unknown,
          id: string,
        ) => Promise<{ accountId: string; claims: () => Promise<Record<string, unknown>> }>
      },
    )
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
