interface FormResponse {
  /** The reference number of the stored message. */
  id?: number
  calendar?: string
  /** A proof of work that moves the message out of the spam folder. */
  check?: object
  title?: string
  detail?: string
  errors?: { path: string; message: string }[]
}

/** The functions of `form-check.ts`, which is loaded when a visitor uses a form. */
interface FormCheck {
  addTimestamp(form: HTMLFormElement): Promise<void>
  /** @returns whether the page already tells the visitor that the form will be sent again */
  retryUntilStored(form: HTMLFormElement, response?: Response): boolean
  solveChallenge(check: object): Promise<void>
}

/**
 * Submits the contact form or any other form without leaving the page, and replaces the form by the result. While the
 * site or its database is unavailable, the form is sent again until its message is stored. A field may be named
 * `dataset`, `matches` or `action`, which then hides that property of the form (DOM clobbering): hence `getAttribute`.
 */
export function submitInPlace(form: HTMLFormElement): void {
  const button = form.querySelector('[type=submit]') as HTMLButtonElement
  const failure = form.querySelector('.failed') as HTMLElement
  const label = button.textContent
  let isBusy = false
  let formCheck: Promise<FormCheck | undefined> | undefined
  const loadFormCheck = () => {
    formCheck ??= import(/* @vite-ignore */ document.body.dataset.check ?? '')
      .then(() => (globalThis as unknown as { formCheck: FormCheck }).formCheck)
      .catch(() => undefined)
    return formCheck
  }
  const addTimestamp = async () => (await loadFormCheck())?.addTimestamp(form)
  if (document.activeElement?.closest('form') === form) void addTimestamp()
  else form.addEventListener('focusin', addTimestamp, { once: true })
  form.addEventListener('input', ({ target }) => showFieldError(target as HTMLInputElement, ''))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      body: new FormData(form),
      headers: { Accept: 'application/json', 'Accept-Language': form.taal.value },
    }).catch(() => undefined)
    const result: FormResponse = (await response?.json().catch(() => undefined)) ?? {}
    // The message is stored already, so a failure of the proof of work is ignored.
    if (result.check) await (await loadFormCheck())?.solveChallenge(result.check).catch(() => {})
    setBusy(false)
    if (response?.ok && result.id) return showSent(form, result)
    // `ok` without an id: the body was cut off. 429 may be the response to a retry after an outage.
    const mayRetry = !response || response.ok || response.status === 429 || response.status > 501
    if (mayRetry && (await loadFormCheck())?.retryUntilStored(form, response)) return
    showErrors(result)
    const retryAfter = response?.status === 429 && Number(response.headers.get('Retry-After'))
    if (retryAfter) {
      setBusy(true, label)
      setTimeout(setBusy, retryAfter * 1000, false)
    }
  })

  function setBusy(busy: boolean, text = form.getAttribute('data-busy') ?? label): void {
    isBusy = busy
    button.textContent = busy ? text : label
    button.toggleAttribute('aria-disabled', busy)
    if (busy) button.ariaDisabled = 'true'
  }

  /** Shows each message at its field and focuses the first such field; without one, shows the failure of the form. */
  function showErrors({ errors = [], title, detail }: FormResponse): void {
    const messages = new Map(errors.map(({ path, message }) => [path, message]))
    const fields = [...form.querySelectorAll<HTMLInputElement>('.field :is(input, textarea, select)')]
    for (const field of fields) showFieldError(field, messages.get(field.name) ?? '')
    const firstInvalid = fields.find((field) => messages.has(field.name) && !field.disabled)
    const [heading, text] = failure.children as unknown as [HTMLElement, HTMLElement]
    // Removes other children: the note of a retry.
    failure.replaceChildren(heading, text)
    failure.hidden = Boolean(firstInvalid)
    heading.textContent = firstInvalid ? '' : (title ?? form.getAttribute('data-failure-title') ?? '')
    text.textContent = firstInvalid ? '' : (detail ?? form.getAttribute('data-failure-text') ?? '')
    // `form-steps.ts` then shows the step of the field, which could not get the focus otherwise.
    firstInvalid?.dispatchEvent(new Event('invalid'))
    ;(firstInvalid ?? failure).focus()
  }
}

/**
 * Lets the links of a price list insert their subject as the first line of the message, in place of an earlier subject:
 * in the contact form, or on a page without it in the first visible field `bericht` of another form.
 */
export function fillInSubjects(links: NodeListOf<HTMLElement>): void {
  const subjects = [...links].map((link) => link.dataset.subject ?? '')
  const inContactForm = document.querySelectorAll<HTMLTextAreaElement>('form[action="/api/contact"] [name=bericht]')
  const inForms = document.querySelectorAll<HTMLTextAreaElement>('.form-panel textarea[name=bericht]')
  const fields = [...(inContactForm.length > 0 ? inContactForm : inForms)]
  for (const link of links) {
    link.addEventListener('click', (event) => {
      // Once a message is sent there is no field, so the link opens the page with the form.
      const field = fields.find((candidate) => candidate.checkVisibility())
      if (!field || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const oldSubject = subjects.find((subject) => field.value.startsWith(subject)) ?? ''
      field.value = link.dataset.subject + field.value.slice(oldSubject.length)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      field.focus()
    })
  }
}

/** Shows an error message at a field; an empty message removes it. */
function showFieldError(input: HTMLInputElement, message: string): void {
  const field = input.closest('.field')
  const element = field?.querySelector('.error')
  if (!field || !element) return
  element.textContent = message
  // Several inputs: the options of a question.
  for (const control of field.querySelectorAll('input, textarea, select')) {
    if (message) control.ariaInvalid = 'true'
    else control.removeAttribute('aria-invalid')
  }
}

/** Replaces the form by the confirmation from a `<template>`, whose third element has `{}` for the reference number. */
function showSent(form: HTMLFormElement, { id, calendar }: FormResponse): void {
  const template = form.parentElement?.querySelector('template') as HTMLTemplateElement
  const panel = template.content.firstElementChild?.cloneNode(true) as HTMLElement
  const reference = panel.children[2] as HTMLElement
  const number = id?.toLocaleString(document.documentElement.lang, { useGrouping: false }) ?? ''
  reference.textContent = reference.textContent?.replace('{}', number) ?? ''
  const link = panel.querySelector<HTMLAnchorElement>('[download]')
  if (link && calendar) link.href = calendar
  else link?.parentElement?.remove()
  const another = panel.lastElementChild?.querySelector('a')
  another?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    // Following a link to a place on this page would not bring back the form.
    history.pushState(null, '', another.href)
    location.reload()
  })
  form.replaceWith(panel)
  panel.focus()
}
