/** Loaded when a search field is reached first: suggests pages while a visitor types. */
for (const field of document.querySelectorAll<HTMLElement>('.search-field')) suggestPages(field)

const pauseMs = 180

function suggestPages(field: HTMLElement): void {
  const input = field.querySelector('input') as HTMLInputElement
  const { source = '', list: label = '', count = '' } = field.dataset
  const list = document.createElement('ul')
  const status = document.createElement('span')
  list.id = `suggestions-${document.querySelectorAll('[id^="suggestions-"]').length}`
  list.role = 'listbox'
  list.ariaLabel = label
  status.role = 'status'
  status.className = 'visually-hidden'
  field.append(list, status)
  input.role = 'combobox'
  input.ariaAutoComplete = 'list'
  input.setAttribute('aria-controls', list.id)

  let timer: ReturnType<typeof setTimeout> | undefined
  let request = new AbortController()
  let urls: string[] = []
  let chosen = -1

  const show = (suggestions: { title: string; url: string }[]) => {
    urls = suggestions.map(({ url }) => url)
    const options = suggestions.map(({ title }, index) =>
      Object.assign(document.createElement('li'), {
        id: `${list.id}-${index}`,
        role: 'option',
        dir: 'auto',
        textContent: title,
      }),
    )
    list.replaceChildren(...options)
    list.hidden = options.length === 0
    input.ariaExpanded = String(!list.hidden)
    status.textContent =
      options.length > 0 ? count.replace('#', options.length.toLocaleString(document.documentElement.lang)) : ''
    choose(-1)
  }
  const choose = (index: number) => {
    chosen = index
    for (const [at, option] of [...list.children].entries()) option.ariaSelected = String(at === index)
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${list.id}-${index}`)
  }
  const ask = async () => {
    request.abort()
    request = new AbortController()
    const { signal } = request
    const query = input.value.trim()
    if (query.length < 2) return show([])
    try {
      const answer = await fetch(`${source}?q=${encodeURIComponent(query)}`, { signal })
      show(answer.ok ? (await answer.json()).suggestions : [])
    } catch {
      // Without a connection the form still works.
      if (!signal.aborted) show([])
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(ask, pauseMs)
  })
  input.addEventListener('keydown', (event) => {
    const { key } = event
    if (list.hidden || event.isComposing) return
    if (key === 'ArrowDown') choose(chosen < urls.length - 1 ? chosen + 1 : -1)
    else if (key === 'ArrowUp') choose(chosen < 0 ? urls.length - 1 : chosen - 1)
    else if (key === 'Enter' && chosen >= 0) location.assign(urls[chosen] as string)
    else if (key === 'Escape') show([])
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  // Before the field loses the focus.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const url = urls[[...list.children].indexOf((target as Element).closest('li') as Element)]
    if (url) location.assign(url)
  })
  input.addEventListener('blur', () => {
    clearTimeout(timer)
    request.abort()
    show([])
  })
  show([])
  if (input.value && input.matches(':focus')) ask()
}
