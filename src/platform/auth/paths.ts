/** The only provider that can be configured; see `OIDC_ISSUER`. */
export const oidcProvider = 'oidc'
export const secondStepPath = '/login/code'
export const oidcCallbackPath = '/login/oidc/callback'
/** Better Auth's provider id of an account with a password. */
export const credentialProvider = 'credential'
