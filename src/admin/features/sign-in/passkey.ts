import { apiWithoutReauthentication, parseResponse } from '../../client.ts'

/** Whether the browser supports the JSON methods of WebAuthn. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/**
 * Signs in with a passkey.
 * @throws {DOMException} when the user cancels
 * @throws {ApiRefusal}
 */
export async function signInByPasskey(): Promise<void> {
  const options = await parseResponse(apiWithoutReauthentication.login.passkey.options.$post())
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = await navigator.credentials.get({ publicKey })
  await parseResponse(
    apiWithoutReauthentication.login.passkey.$post({ json: { response: credentialToJson(credential) } }),
  )
}

/** A cast, because the API validates the value. @throws {DOMException} `NotAllowedError` without a credential */
export const credentialToJson = <Json>(credential: Credential | null): Json => {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no passkey was given', 'NotAllowedError')
  return credential.toJSON() as unknown as Json
}
