/** Loaded when a visitor reaches a form. The bundler drops the exports of an entry point, so the functions are global. */
Object.assign(globalThis, { formCheck: { addTimestamp, retryUntilStored, solveChallenge } })

/** As long as a server takes to start again; then twice as long each time, up to a minute, for which a visitor may wait. */
const firstPauseMs = 5_000
const longestPauseMs = 60_000
const waitingForms = new WeakMap<HTMLFormElement, ReturnType<typeof waitingForm>>()

/** Adds a timestamp, signed by the server, to the fields of the form. */
async function addTimestamp(form: HTMLFormElement): Promise<void> {
  const waiting = waitingForm(form)
  waitingForms.set(form, waiting)
  const input = Object.assign(document.createElement('input'), { type: 'hidden', name: '_begin' })
  // Not `append` and `action`, which a field of the form may be named.
  form.appendChild(input)
  const id = form.getAttribute('action')?.split('/').at(-1)
  const request = async () => {
    const response = await fetch(`/api/checks?form=${id}&taal=${form.taal.value}`).catch(() => undefined)
    const answer = await response?.json().catch(() => undefined)
    // While the site is unavailable: the next field asks again.
    if (!answer?.moment) return form.addEventListener('focusin', request, { once: true })
    input.value = answer.moment
    waiting.note.textContent = answer.waiting
  }
  await request()
}

/** Sends a form again that could not be stored because the site or its database was unavailable, until it is stored or edited. */
function retryUntilStored(form: HTMLFormElement, response?: Response): boolean {
  return waitingForms.get(form)?.scheduleRetry(response) ?? false
}

/** The form waits for as long as the note is on the page. */
function waitingForm(form: HTMLFormElement) {
  const failed = form.querySelector('.failed') as HTMLElement
  const note = document.createElement('p')
  let pauseMs = firstPauseMs
  let nextTry: ReturnType<typeof setTimeout>
  let isEdited = false
  form.addEventListener('submit', () => {
    clearTimeout(nextTry)
    isEdited = false
  })
  // A form that is being edited is not sent again, also when the answer to the last try comes after the edit.
  const edited = () => {
    clearTimeout(nextTry)
    isEdited = true
    if (note.isConnected) failed.hidden = true
    note.remove()
  }
  form.addEventListener('input', edited)
  // Back to an earlier step, where answers are changed.
  form.addEventListener('click', ({ target }) => (target as Element).closest('.back') && edited())
  addEventListener('beforeunload', (event) => {
    if (note.isConnected) event.preventDefault()
  })
  return {
    note,
    /** @returns whether the note is shown already, so that it is not read aloud at each try; false when the form is not sent again */
    scheduleRetry(response?: Response) {
      const isShown = note.isConnected
      // Not while the storage is full (507), nor after too many posts (429) before the form waited, nor without the text that
      // tells the visitor.
      if (isEdited || response?.status === 507 || (response?.status === 429 && !isShown) || !note.textContent) {
        note.remove()
        return false
      }
      if (!isShown) {
        pauseMs = firstPauseMs
        // After the text of the failure, which the caller shows.
        queueMicrotask(() => failed.append(note))
      }
      const askedMs = Number(response?.headers.get('Retry-After')) * 1000 || 0
      // Jitter, so that not all clients try again at once.
      nextTry = setTimeout(() => form.requestSubmit(), Math.max(pauseMs, askedMs) * (1 + Math.random() / 4))
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
      return isShown
    },
  }
}

interface Check {
  url: string
  challenge: { parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string } }
}

/** Solves the proof of work of the server (ALTCHA, PBKDF2), which is too much work for a program that sends very many messages. */
async function solveChallenge({ url, challenge }: Check): Promise<void> {
  // Browsers have it for https only; everywhere else the question is asked.
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
