/** Shows the button for signing in with a passkey, if the browser supports passkeys. */
const button = document.querySelector<HTMLButtonElement>('#passkey')
if (button && window.PublicKeyCredential && 'parseRequestOptionsFromJSON' in PublicKeyCredential) showButton(button)

function showButton(button: HTMLButtonElement): void {
  const failure = document.querySelector('#passkey-failed') as HTMLElement
  button.hidden = false
  button.addEventListener('click', async () => {
    if (button.ariaBusy === 'true') return
    button.ariaBusy = 'true'
    failure.hidden = true
    try {
      const options = await post('/api/login/passkey/options')
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
      await post('/api/login/passkey', { response: credential.toJSON() })
      location.assign(button.dataset.target ?? '/')
    } catch (error) {
      // No message when the user cancelled the browser's dialog.
      failure.hidden = (error as Error).name === 'NotAllowedError'
    }
    button.ariaBusy = 'false'
  })
}

/** Sends JSON and returns the response. @throws {Error} with the status of a refusal */
async function post(path: string, body: unknown = {}): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const response = await fetch(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}
