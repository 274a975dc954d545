/** Loaded on pages with a form that has steps or conditional fields; without it all fields are shown. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-next]')) {
  showFieldsByAnswer(form)
  showStepByStep(form)
}

/** Shows each field with a condition only while the required option is chosen. */
function showFieldsByAnswer(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-if]')]
  const update = () => {
    // In document order: a hidden field is disabled and so not in `FormData`, which hides the fields that depend on it.
    for (const field of fields) {
      const { if: name = '', is: option = '' } = field.dataset
      field.hidden = !new FormData(form).getAll(name).includes(option)
      for (const input of field.querySelectorAll<HTMLInputElement>('input, textarea, select'))
        input.disabled = field.hidden
    }
  }
  for (const hint of form.querySelectorAll<HTMLElement>('.hint.if')) hint.hidden = true
  form.addEventListener('change', update)
  update()
}

/** Shows one step at a time, with buttons to the next and the previous one. */
function showStepByStep(form: HTMLFormElement): void {
  const steps = [...form.querySelectorAll<HTMLElement>('.step')]
  const submit = form.querySelector('[type=submit]') as HTMLElement
  if (steps.length < 2) return
  // Not `form.dataset`: a field with that name hides the property (DOM clobbering).
  const textOf = (name: string) => form.getAttribute(`data-${name}`) ?? ''
  const buttons = document.createElement('div')
  const next = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'button',
    textContent: textOf('next'),
  })
  const back = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'back',
    textContent: textOf('previous'),
  })
  buttons.className = 'step-tools'
  submit.before(buttons)
  buttons.append(next, submit, back)
  let current = 0

  const isSkipped = (step: HTMLElement | undefined) =>
    step?.querySelector('.field') && !step.querySelector('.field:not([hidden])')
  /** The index of the next (1) or previous (-1) step, without the steps of which all fields are hidden. */
  const indexInDirection = (direction: 1 | -1): number => {
    let index = current + direction
    while (isSkipped(steps[index])) index += direction
    return index
  }
  const show = (index: number) => {
    current = index
    for (const [position, step] of steps.entries()) step.hidden = position !== current
    // `Step 1 of 3` would count the skipped steps too.
    for (const progress of form.querySelectorAll<HTMLElement>('.step > legend small'))
      progress.hidden = steps.some(isSkipped)
    next.hidden = indexInDirection(1) === steps.length
    submit.hidden = !next.hidden
    back.hidden = current === 0
  }
  const goTo = (index: number) => {
    show(index)
    steps[index]?.querySelector('legend')?.focus()
  }
  const goToNext = () => {
    const fields = [...(steps[current]?.querySelectorAll<HTMLInputElement>('input, textarea, select') ?? [])]
    const invalid = fields.filter((field) => !field.checkValidity())
    for (const field of invalid) {
      const error = field.closest('.field')?.querySelector('.error')
      if (error)
        error.textContent = field.validity.valueMissing
          ? textOf('required')
          : field.validity.typeMismatch
            ? textOf('email')
            : field.validationMessage
      field.ariaInvalid = 'true'
    }
    if (invalid[0]) invalid[0].focus()
    else goTo(indexInDirection(1))
  }

  next.addEventListener('click', goToNext)
  back.addEventListener('click', () => goTo(indexInDirection(-1)))
  // An answer may show or hide a later step, and so the button to it.
  form.addEventListener('change', () => show(current))
  form.addEventListener(
    'submit',
    (event) => {
      if (next.hidden) return
      // Enter in a field of any step but the last goes to the next step.
      event.preventDefault()
      event.stopImmediatePropagation()
      goToNext()
    },
    // Before the listener of `contact-form.ts`, which would send the form.
    true,
  )
  // `contact-form.ts` dispatches this event at the field of an error, which may be in another step.
  form.addEventListener(
    'invalid',
    ({ target }) => {
      const index = steps.findIndex((step) => step.contains(target as Node))
      if (index >= 0 && index !== current) show(index)
    },
    true,
  )
  const firstInvalid = steps.findIndex((step) => step.querySelector('[aria-invalid]'))
  show(Math.max(0, firstInvalid))
}
