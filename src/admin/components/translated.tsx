import { Fragment, type ReactNode } from 'react'
import { type TextKey, useText } from '../i18n.ts'

const mark = '\u0001'

/**
 * A text with React nodes in place of its placeholders, such as a name with its own direction or a link. User input is
 * never parsed as markup.
 */
export function Translated({ text, ...nodes }: { text: TextKey } & Record<string, ReactNode>) {
  const t = useText()
  const names = Object.keys(nodes)
  const marked = Object.fromEntries(names.map((name) => [name, `${mark}${name}${mark}`]))
  return (
    t(text, marked)
      .split(mark)
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change order
      .map((part, index) => <Fragment key={`${index}-${part}`}>{index % 2 === 1 ? nodes[part] : part}</Fragment>)
  )
}
