/** Loaded on pages with a form that has steps, or fields that depend on an answer; without it all fields are shown. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-next]')) {
  hideUnaskedFields(form)
  showStepByStep(form)
}

/** Shows a field only after the answer on which it depends. */
function hideUnaskedFields(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-if]')]
  const update = () => {
    // In the order of the page: a disabled field is no answer, so what depends on it is not asked either.
    for (const field of fields) {
      const { if: asked = '', is = '' } = field.dataset
      field.hidden = !new FormData(form).getAll(asked).includes(is)
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
  const last = steps.length - 1
  if (last < 1) return
  const { next: nextLabel = '', previous: previousLabel = '' } = form.dataset
  const tools = document.createElement('div')
  const next = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'button',
    textContent: nextLabel,
  })
  const back = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'back',
    textContent: previousLabel,
  })
  tools.className = 'step-tools'
  submit.before(tools)
  tools.append(next, submit, back)
  let at = 0

  const show = (index: number) => {
    at = index
    for (const [number, step] of steps.entries()) step.hidden = number !== at
    next.hidden = at === last
    submit.hidden = at < last
    back.hidden = at === 0
  }
  const go = (index: number) => {
    show(index)
    steps[index]?.querySelector('legend')?.focus()
  }
  const goOn = () => {
    const fields = [...(steps[at]?.querySelectorAll<HTMLInputElement>('input, textarea, select') ?? [])]
    const wrong = fields.filter((field) => !field.checkValidity())
    for (const field of wrong) {
      const message = field.closest('.field')?.querySelector('.error')
      const { required = '', email = '' } = form.dataset
      if (message)
        message.textContent = field.validity.valueMissing
          ? required
          : field.validity.typeMismatch
            ? email
            : field.validationMessage
      field.ariaInvalid = 'true'
    }
    if (wrong[0]) wrong[0].focus()
    else go(at + 1)
  }

  next.addEventListener('click', goOn)
  back.addEventListener('click', () => go(at - 1))
  form.addEventListener(
    'submit',
    (event) => {
      if (at === last) return
      // Enter in a field of an earlier step.
      event.preventDefault()
      event.stopImmediatePropagation()
      goOn()
    },
    true,
  )
  // The server's answer names a field that may be in another step.
  form.addEventListener(
    'invalid',
    ({ target }) => {
      const index = steps.findIndex((step) => step.contains(target as Node))
      if (index >= 0 && index !== at) show(index)
    },
    true,
  )
  const wrong = steps.findIndex((step) => step.querySelector('[aria-invalid]'))
  show(Math.max(0, wrong))
}
