/**
 * Signing in by a passkey, where the browser can. The button is in the page already and hidden: nobody is offered what
 * does not work.
 */
const button = document.querySelector<HTMLButtonElement>('#passkey')
if (button && window.PublicKeyCredential && 'parseRequestOptionsFromJSON' in PublicKeyCredential) offer(button)

function offer(button: HTMLButtonElement): void {
  const failed = document.querySelector('#passkey-failed') as HTMLElement
  button.hidden = false
  button.addEventListener('click', async () => {
    if (button.ariaBusy === 'true') return
    button.ariaBusy = 'true'
    failed.hidden = true
    try {
      const asked = await post('/api/login/passkey/options')
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked)
      const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
      await post('/api/login/passkey', { response: credential.toJSON() })
      location.assign(button.dataset.target ?? '/')
    } catch (error) {
      // Who closes the browser's own question knows why nothing happened.
      failed.hidden = (error as Error).name === 'NotAllowedError'
    }
    button.ariaBusy = 'false'
  })
}

async function post(path: string, body: unknown = {}): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const response = await fetch(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}
