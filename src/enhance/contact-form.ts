interface ContactResponse {
  id?: number
  calendar?: string
  check?: object
  title?: string
  detail?: string
  errors?: { path: string; message: string }[]
}

interface FormCheck {
  addTimestamp(form: HTMLFormElement): Promise<void>
  /** @returns whether the page shows already that the form will be sent again */
  retryUntilStored(form: HTMLFormElement, response?: Response): boolean
  solveChallenge(check: object): Promise<void>
}

/**
 * Submits the contact form without leaving the page, and shows the result in its place. What could not be stored, because the
 * site or its database is unavailable, is sent again until it is.
 */
export function submitInPlace(form: HTMLFormElement): void {
  const button = form.querySelector('[type=submit]') as HTMLButtonElement
  const failed = form.querySelector('.failed') as HTMLElement
  const label = button.textContent
  let waiting = false
  let check: Promise<FormCheck | undefined> | undefined
  const load = () => {
    check ??= import(/* @vite-ignore */ document.body.dataset.check ?? '')
      .then(() => (globalThis as unknown as { formCheck: FormCheck }).formCheck)
      .catch(() => undefined)
    return check
  }
  const reach = async () => (await load())?.addTimestamp(form)
  // A field may have the name `matches`, `dataset` or `action`, which then is no property of the form.
  if (document.activeElement?.closest('form') === form) void reach()
  else form.addEventListener('focusin', reach, { once: true })
  form.addEventListener('input', ({ target }) => showFieldError(target as HTMLInputElement, ''))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (waiting) return
    setBusy(true)
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      body: new FormData(form),
      headers: { Accept: 'application/json', 'Accept-Language': form.taal.value },
    }).catch(() => undefined)
    const answer: ContactResponse = (await response?.json().catch(() => undefined)) ?? {}
    // The message is stored: whatever happens to the check, the visitor is done.
    if (answer.check) await (await load())?.solveChallenge(answer.check).catch(() => {})
    setBusy(false)
    if (response?.ok && answer.id) return showSent(form, answer)
    // An answer that breaks off is lost, and 429 may be the answer to a retry after an outage.
    const mayRetry = !response || response.ok || response.status === 429 || response.status > 501
    if (mayRetry && (await load())?.retryUntilStored(form, response)) return
    showErrors(answer)
    const retryAfter = response?.status === 429 && Number(response.headers.get('Retry-After'))
    if (retryAfter) {
      setBusy(true, label)
      setTimeout(setBusy, retryAfter * 1000, false)
    }
  })

  function setBusy(busy: boolean, text = form.getAttribute('data-busy') ?? label): void {
    waiting = busy
    button.textContent = busy ? text : label
    button.toggleAttribute('aria-disabled', busy)
    if (busy) button.ariaDisabled = 'true'
  }

  function showErrors({ errors = [], title, detail }: ContactResponse): void {
    const wrong = new Map(errors.map(({ path, message }) => [path, message]))
    const fields = [...form.querySelectorAll<HTMLInputElement>('.field :is(input, textarea, select)')]
    for (const field of fields) showFieldError(field, wrong.get(field.name) ?? '')
    const first = fields.find((field) => wrong.has(field.name) && !field.disabled)
    const [head, text] = failed.children as unknown as [HTMLElement, HTMLElement]
    failed.replaceChildren(head, text)
    failed.hidden = Boolean(first)
    head.textContent = (first ? '' : title) ?? form.getAttribute('data-failure-title') ?? ''
    text.textContent = (first ? '' : detail) ?? form.getAttribute('data-failure-text') ?? ''
    // A form in steps shows the step of the field first.
    first?.dispatchEvent(new Event('invalid'))
    ;(first ?? failed).focus()
  }
}

/**
 * A price-list button inserts its subject as the first line of the message and replaces an earlier subject: in the contact
 * form, or on a page without it in the first form that shows such a field.
 */
export function fillInSubjects(links: NodeListOf<HTMLElement>): void {
  const subjects = [...links].map((link) => link.dataset.subject ?? '')
  const inContactForm = document.querySelectorAll<HTMLTextAreaElement>('form[action="/api/contact"] [name=bericht]')
  const inForms = document.querySelectorAll<HTMLTextAreaElement>('.form-panel textarea[name=bericht]')
  const fields = [...(inContactForm.length > 0 ? inContactForm : inForms)]
  for (const link of links) {
    link.addEventListener('click', (event) => {
      // After a message was sent the form is gone; the link then opens a new one.
      const field = fields.find((one) => one.checkVisibility())
      if (!field || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const before = subjects.find((subject) => field.value.startsWith(subject)) ?? ''
      field.value = link.dataset.subject + field.value.slice(before.length)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      field.focus()
    })
  }
}

function showFieldError(input: HTMLInputElement, message: string): void {
  const field = input.closest('.field')
  const element = field?.querySelector('.error')
  if (!field || !element) return
  element.textContent = message
  // The options of a question share its error.
  for (const one of field.querySelectorAll('input, textarea, select')) {
    if (message) one.ariaInvalid = 'true'
    else one.removeAttribute('aria-invalid')
  }
}

/** The server rendered the panel as a template, with `{}` for the reference number. */
function showSent(form: HTMLFormElement, { id, calendar }: ContactResponse): void {
  const template = form.parentElement?.querySelector('template') as HTMLTemplateElement
  const panel = template.content.firstElementChild?.cloneNode(true) as HTMLElement
  const reference = panel.children[2] as HTMLElement
  const number = id?.toLocaleString(document.documentElement.lang, { useGrouping: false }) ?? ''
  reference.textContent = reference.textContent?.replace('{}', number) ?? ''
  const link = panel.querySelector<HTMLAnchorElement>('[download]')
  if (link && calendar) link.href = calendar
  else link?.parentElement?.remove()
  form.replaceWith(panel)
  panel.focus()
}
