/** Loaded by `contact-form.ts`. The functions are global, because the bundler drops the exports of an entry point. */
Object.assign(globalThis, { formCheck: { addTimestamp, retryUntilStored, solveChallenge } })

/** The pause before the first retry, about as long as a restart of the server. It doubles up to the maximum. */
const firstPauseMs = 5_000
const maxPauseMs = 60_000
const retries = new WeakMap<HTMLFormElement, ReturnType<typeof createRetry>>()

/** Adds a timestamp, signed by the server, to the fields of the form. */
async function addTimestamp(form: HTMLFormElement): Promise<void> {
  const retry = createRetry(form)
  retries.set(form, retry)
  const input = Object.assign(document.createElement('input'), { type: 'hidden', name: '_begin' })
  // Not `form.append` and `form.action`: a field with such a name hides the property (DOM clobbering).
  form.appendChild(input)
  const id = form.getAttribute('action')?.split('/').at(-1)
  const request = async () => {
    const response = await fetch(`/api/checks?form=${id}&taal=${form.taal.value}`).catch(() => undefined)
    const result = await response?.json().catch(() => undefined)
    // The site is unavailable: requested again when the next field gets the focus.
    if (!result?.moment) return form.addEventListener('focusin', request, { once: true })
    input.value = result.moment
    // The text that tells the visitor that the form will be sent again.
    retry.note.textContent = result.waiting
  }
  await request()
}

/** Schedules a retry, because the site or its database is unavailable. Each failure schedules the next one. */
function retryUntilStored(form: HTMLFormElement, response?: Response): boolean {
  return retries.get(form)?.scheduleRetry(response) ?? false
}

/** The retries of a form. A retry is scheduled for as long as the note is on the page. */
function createRetry(form: HTMLFormElement) {
  const failure = form.querySelector('.failed') as HTMLElement
  const note = document.createElement('p')
  let pauseMs = firstPauseMs
  let timer: ReturnType<typeof setTimeout>
  let isEdited = false
  form.addEventListener('submit', () => {
    clearTimeout(timer)
    isEdited = false
  })
  // A form that is being edited is not sent again, also when the response to the last retry arrives after the edit.
  const cancel = () => {
    clearTimeout(timer)
    isEdited = true
    if (note.isConnected) failure.hidden = true
    note.remove()
  }
  form.addEventListener('input', cancel)
  // The button to the previous step: the visitor is going to change answers.
  form.addEventListener('click', ({ target }) => (target as Element).closest('.back') && cancel())
  addEventListener('beforeunload', (event) => {
    if (note.isConnected) event.preventDefault()
  })
  return {
    note,
    /** @returns whether the note is shown already, so that it is not read aloud at each retry; false without a retry */
    scheduleRetry(response?: Response) {
      const isShown = note.isConnected
      // Not while the storage is full (507), nor when the visitor posts too often (429 before any retry), nor without the
      // text of the note.
      if (isEdited || response?.status === 507 || (response?.status === 429 && !isShown) || !note.textContent) {
        note.remove()
        return false
      }
      if (!isShown) {
        pauseMs = firstPauseMs
        // After the caller has shown the failure, which removes an earlier note.
        queueMicrotask(() => failure.append(note))
      }
      const retryAfterMs = Number(response?.headers.get('Retry-After')) * 1000 || 0
      // Jitter, so that not all clients retry at the same moment.
      timer = setTimeout(() => form.requestSubmit(), Math.max(pauseMs, retryAfterMs) * (1 + Math.random() / 4))
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
      return isShown
    },
  }
}

interface Check {
  url: string
  challenge: { parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string } }
}

/** Solves the server's proof of work (ALTCHA with PBKDF2): too much work for bots that send very many messages. */
async function solveChallenge({ url, challenge }: Check): Promise<void> {
  // `crypto.subtle` only exists on https and localhost; otherwise the visitor answers a question at `url`.
  if (!globalThis.crypto?.subtle) return location.assign(url)
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const start = fromHex(nonce)
  const password = new Uint8Array(start.length + 4)
  password.set(start)
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost }
  for (let counter = 0; ; counter++) {
    new DataView(password.buffer).setUint32(start.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8)))
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
