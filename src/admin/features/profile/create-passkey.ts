import { answer, api } from '../../client.ts'
import { asJson } from '../sign-in/passkey.ts'

/**
 * Lets the browser make a passkey, and adds it to the account.
 * @throws {DOMException} when the person turns away from it
 */
export async function createPasskey(name: string): Promise<void> {
  const options = await answer(api.profile.passkeys.options.$post())
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = await navigator.credentials.create({ publicKey })
  await answer(api.profile.passkeys.$post({ json: { name, response: asJson(credential) } }))
}
