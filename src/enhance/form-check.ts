/** Loaded when a visitor reaches a form. A build keeps no exports of an entry, so the functions are global. */
Object.assign(globalThis, { formCheck: { markMoment, proveSender } })

/**
 * Adds the moment, signed by the server, to what the form posts.
 * @returns what to tell while a message waits to be sent
 */
async function markMoment(form: HTMLFormElement): Promise<string> {
  const input = Object.assign(document.createElement('input'), { type: 'hidden', name: '_begin' })
  form.append(input)
  const id = form.action.split('/').at(-1)
  const response = await fetch(`/api/checks?form=${id}&taal=${form.taal.value}`).catch(() => undefined)
  const { moment = '', waiting = '' } = (await response?.json().catch(() => undefined)) ?? {}
  input.value = moment
  return waiting
}

interface Check {
  url: string
  challenge: { parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string } }
}

/** Does the work by which a person's browser differs from a program that sends very many messages (ALTCHA, PBKDF2). */
async function proveSender({ url, challenge }: Check): Promise<void> {
  // Browsers have it for https only; everywhere else the question is asked.
  if (!globalThis.crypto?.subtle) return location.assign(url)
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const start = fromHex(nonce)
  const password = new Uint8Array(start.length + 4)
  password.set(start)
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost }
  for (let counter = 0; ; counter++) {
    new DataView(password.buffer).setUint32(start.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(how, key, keyLength * 8)))
    if (!derivedKey.startsWith(keyPrefix)) continue
    await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ challenge, solution: { counter, derivedKey } }),
    })
    return
  }
}

const fromHex = (hex: string) => new Uint8Array((hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)))
const toHex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
