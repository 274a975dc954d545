import { answer, bareApi } from '../../client.ts'

/** Whether this browser can use passkeys, by the interface that takes and gives JSON. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/**
 * Signs in by a passkey of this device.
 * @throws {DOMException} when the person turns away from it
 */
export async function signInByPasskey(): Promise<void> {
  const options = await answer(bareApi.login.passkey.options.$post())
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = await navigator.credentials.get({ publicKey })
  await answer(bareApi.login.passkey.$post({ json: { response: asJson(credential) } }))
}

/** What the API takes is read there; the browser's own type is looser. */
export const asJson = <Wanted>(credential: Credential | null): Wanted => {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no passkey was given', 'NotAllowedError')
  return credential.toJSON() as unknown as Wanted
}
