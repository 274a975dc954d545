/** The only provider there can be; see `OIDC_ISSUER`. */
export const oidcProvider = 'oidc'
export const secondStepPath = '/login/code'
export const oidcCallbackPath = '/login/oidc/callback'
/** What Better Auth calls the account that holds a password. */
export const credentialProvider = 'credential'
