/** Replaces the still of a video by the platform's player, of which nothing is requested before the click. */
export function playOnClick(still: HTMLAnchorElement): void {
  still.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const frame = document.createElement('iframe')
    frame.src = still.dataset.player ?? ''
    frame.title = still.querySelector('strong')?.textContent ?? ''
    frame.allow = 'autoplay; fullscreen; picture-in-picture; encrypted-media'
    still.replaceWith(frame)
    frame.focus()
  })
}
