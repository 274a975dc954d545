/** Adapts HTML from other programs: headings get the levels that exist here, and list items of Word become lists. */
export const adaptPastedHtml = (html: string): string =>
  makeLists(html.replace(/(<\/?)h1\b/gi, '$1h2').replace(/(<\/?)h[56]\b/gi, '$1h4'))

/**
 * Word writes a list item as a paragraph with its level in a style, such as `mso-list:l0 level2 lfo1`, and its bullet or
 * number as text.
 */
function makeLists(html: string): string {
  if (!html.includes('mso-list')) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  /** The lists around the last item, the outermost first. */
  const lists: Element[] = []
  for (const paragraph of body.querySelectorAll('p[style*="mso-list"]')) {
    const level = Number(/mso-list:[^;]*level(\d)/.exec(paragraph.getAttribute('style') ?? '')?.[1])
    // As in `mso-list:none`.
    if (!level) continue
    const marker = paragraph.querySelector('[style*="mso-list:Ignore"]')
    const tag = /[\p{L}\p{N}][.)-]/u.test(marker?.textContent ?? '') ? 'ol' : 'ul'
    marker?.remove()
    if (paragraph.previousElementSibling !== lists[0]) lists.length = 0
    const depth = Math.min(level, lists.length + 1)
    lists.length = Math.min(lists.length, lists[depth - 1]?.localName === tag ? depth : depth - 1)
    if (lists.length < depth) {
      const list = document.createElement(tag)
      const parent = lists.at(-1)?.lastElementChild
      if (parent) parent.append(list)
      else paragraph.before(list)
      lists.push(list)
    }
    const item = document.createElement('li')
    item.append(paragraph)
    lists.at(-1)?.append(item)
  }
  return body.innerHTML
}
