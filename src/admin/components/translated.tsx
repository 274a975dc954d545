import { Fragment, type ReactNode } from 'react'
import { type TextKey, useText } from '../i18n.ts'

/** A control character that no text contains. It encloses the names of placeholders, for splitting the text. */
const mark = '\u0001'

/**
 * A text with React nodes in place of placeholders, such as a link or a name in its own direction. User input is never
 * parsed as markup.
 */
export function Translated({ text, ...nodes }: { text: TextKey } & Record<string, ReactNode>) {
  const t = useText()
  const names = Object.keys(nodes)
  const marked = Object.fromEntries(names.map((name) => [name, `${mark}${name}${mark}`]))
  // After splitting, each element with an odd index is the name of a placeholder.
  return (
    t(text, marked)
      .split(mark)
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change order
      .map((part, index) => <Fragment key={`${index}-${part}`}>{index % 2 === 1 ? nodes[part] : part}</Fragment>)
  )
}
