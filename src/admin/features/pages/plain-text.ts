import { fileNameIn } from '../../../contract/pictures.ts'

const lines = new Set(['P', 'DIV', 'LI', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'BLOCKQUOTE', 'UL', 'OL', 'TR', 'PRE'])

/** Rich text as lines of words. Where a link goes stands behind it, for that is something one can change too. */
export function plainText(html: string): string {
  // A document of its own: nothing in it is loaded or run.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return wordsOf(body)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

function wordsOf(node: Node): string {
  if (node.nodeType === node.TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ')
  const words = [...node.childNodes].map(wordsOf).join('')
  const { nodeName } = node
  if (nodeName === 'BR') return '\n'
  if (nodeName === 'LI') return `\n• ${words}\n`
  if (nodeName === 'A') return `${words} (${fileNameIn((node as Element).getAttribute('href') ?? '')})`
  if (nodeName === 'IMG') return (node as Element).getAttribute('alt') ?? ''
  return lines.has(nodeName) ? `\n${words}\n` : words
}
