/** Loaded on pages with a form that has steps, or fields that depend on an answer; without it all fields are shown. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-next]')) {
  showFieldsByAnswer(form)
  showStepByStep(form)
}

/** Shows a field only after the answer on which it depends. */
function showFieldsByAnswer(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-if]')]
  const update = () => {
    // In the order of the page: a disabled field is no answer, so fields that depend on it are hidden too.
    for (const field of fields) {
      const { if: question = '', is = '' } = field.dataset
      field.hidden = !new FormData(form).getAll(question).includes(is)
      for (const input of field.querySelectorAll<HTMLInputElement>('input, textarea, select'))
        input.disabled = field.hidden
    }
  }
  for (const hint of form.querySelectorAll<HTMLElement>('.hint.if')) hint.hidden = true
  form.addEventListener('change', update)
  update()
}

function showStepByStep(form: HTMLFormElement): void {
  const steps = [...form.querySelectorAll<HTMLElement>('.step')]
  const submit = form.querySelector('[type=submit]') as HTMLElement
  if (steps.length < 2) return
  // Not `form.dataset`, which may be a field of that name.
  const textOf = (name: string) => form.getAttribute(`data-${name}`) ?? ''
  const tools = document.createElement('div')
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
  tools.className = 'step-tools'
  submit.before(tools)
  tools.append(next, submit, back)
  let current = 0

  const isSkipped = (step: HTMLElement | undefined) =>
    step?.querySelector('.field') && !step.querySelector('.field:not([hidden])')
  /** The step after the current one, or before it with -1. Steps of which all fields are hidden are skipped. */
  const neighbour = (direction: 1 | -1): number => {
    let index = current + direction
    while (isSkipped(steps[index])) index += direction
    return index
  }
  const show = (index: number) => {
    current = index
    for (const [number, step] of steps.entries()) step.hidden = number !== current
    // `Step 1 of 3` would count a step that is skipped.
    for (const number of form.querySelectorAll<HTMLElement>('.step > legend small'))
      number.hidden = steps.some(isSkipped)
    next.hidden = neighbour(1) === steps.length
    submit.hidden = !next.hidden
    back.hidden = current === 0
  }
  const goTo = (index: number) => {
    show(index)
    steps[index]?.querySelector('legend')?.focus()
  }
  const goToNext = () => {
    const fields = [...(steps[current]?.querySelectorAll<HTMLInputElement>('input, textarea, select') ?? [])]
    const wrong = fields.filter((field) => !field.checkValidity())
    for (const field of wrong) {
      const message = field.closest('.field')?.querySelector('.error')
      if (message)
        message.textContent = field.validity.valueMissing
          ? textOf('required')
          : field.validity.typeMismatch
            ? textOf('email')
            : field.validationMessage
      field.ariaInvalid = 'true'
    }
    if (wrong[0]) wrong[0].focus()
    else goTo(neighbour(1))
  }

  next.addEventListener('click', goToNext)
  back.addEventListener('click', () => goTo(neighbour(-1)))
  // An answer may show the fields of a later step.
  form.addEventListener('change', () => show(current))
  form.addEventListener(
    'submit',
    (event) => {
      if (next.hidden) return
      // Enter in a field of an earlier step.
      event.preventDefault()
      event.stopImmediatePropagation()
      goToNext()
    },
    true,
  )
  // The server's answer names a field that may be in another step.
  form.addEventListener(
    'invalid',
    ({ target }) => {
      const index = steps.findIndex((step) => step.contains(target as Node))
      if (index >= 0 && index !== current) show(index)
    },
    true,
  )
  const wrong = steps.findIndex((step) => step.querySelector('[aria-invalid]'))
  show(Math.max(0, wrong))
}
