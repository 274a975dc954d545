/** Suggests pages in a search field (an ARIA combobox). `main.ts` loads this script when the field gets the focus. */
for (const field of document.querySelectorAll<HTMLElement>('.search-field')) suggestPages(field)

const debounceMs = 180

function suggestPages(field: HTMLElement): void {
  const input = field.querySelector('input') as HTMLInputElement
  const { source = '', list: label = '', count: countTemplate = '' } = field.dataset
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
  /** The index of the highlighted option; -1: none. */
  let activeIndex = -1

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
      options.length > 0 ? countTemplate.replace('#', options.length.toLocaleString(document.documentElement.lang)) : ''
    setActive(-1)
  }
  const setActive = (index: number) => {
    activeIndex = index
    for (const [position, option] of [...list.children].entries()) option.ariaSelected = String(position === index)
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${list.id}-${index}`)
  }
  const requestSuggestions = async () => {
    request.abort()
    request = new AbortController()
    const { signal } = request
    const query = input.value.trim()
    if (query.length < 2) return show([])
    try {
      const response = await fetch(`${source}?q=${encodeURIComponent(query)}`, { signal })
      show(response.ok ? (await response.json()).suggestions : [])
    } catch {
      // A failure is not shown: the search form works without suggestions.
      if (!signal.aborted) show([])
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(requestSuggestions, debounceMs)
  })
  input.addEventListener('keydown', (event) => {
    const { key } = event
    if (list.hidden || event.isComposing) return
    if (key === 'ArrowDown') setActive(activeIndex < urls.length - 1 ? activeIndex + 1 : -1)
    else if (key === 'ArrowUp') setActive(activeIndex < 0 ? urls.length - 1 : activeIndex - 1)
    else if (key === 'Enter' && activeIndex >= 0) location.assign(urls[activeIndex] as string)
    else if (key === 'Escape') show([])
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  // Keeps the focus in the input: its `blur` would remove the list before the click.
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
  if (input.value && input.matches(':focus')) requestSuggestions()
}
