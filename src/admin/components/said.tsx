import { Fragment, type ReactNode } from 'react'
import { type TextKey, useText } from '../i18n.ts'

const mark = '\u0001'

/**
 * A text with something in it that is more than text: a name that keeps its own direction, a link. What people typed is
 * never read as markup.
 */
export function Said({ text, ...nodes }: { text: TextKey } & Record<string, ReactNode>) {
  const t = useText()
  const names = Object.keys(nodes)
  const marked = Object.fromEntries(names.map((name) => [name, `${mark}${name}${mark}`]))
  return (
    t(text, marked)
      .split(mark)
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay in their order
      .map((part, index) => <Fragment key={`${index}-${part}`}>{index % 2 === 1 ? nodes[part] : part}</Fragment>)
  )
}
