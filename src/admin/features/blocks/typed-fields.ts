import { cloneElement, createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import type { Field } from '../../../blocks/fields.ts'
import { localizeDigits } from '../../../contract/locales.ts'

/** One text of a block, which is edited on the canvas. */
export interface TypedField {
  field: Field
  /** Path in the block: `items.0.question`. */
  path: string
  /** As stored, with its placeholders. */
  value: string
}

/** The editable replacement of an element with a text. */
export interface TypedElement {
  typed: TypedField
  /** The element that holds nothing but the text. */
  as: string
  attributes: Record<string, unknown>
  /** The text as visitors see it, or the HTML of rich text. */
  shown: string
}

type Values = Record<string, unknown>

const shifted = (text: string, by: number) =>
  [...text].map((character) => String.fromCharCode(character.charCodeAt(0) + by)).join('')

const start = '\ue000'
const end = '\ue001'
/** The digits of the index, which a view that localizes digits leaves alone. */
const digits = '\ue010-\ue019'
const mark = new RegExp(`${start}[${digits}]+${end}`, 'g')
const strayMarks = new RegExp(`[${start}${end}]`, 'g')

/**
 * Copies a block with a mark at the end of each text, from private-use characters, so that a view needs no code for
 * typing: wherever it puts the text, the mark tells which field it is. An empty optional text has no mark, because views
 * leave its element out.
 * @param focusedPath the path of a text that is being typed, which has a mark even when it is empty
 */
export function markTexts(
  fields: readonly Field[],
  block: Values,
  focusedPath: string | undefined,
): { block: Values; texts: TypedField[] } {
  const texts: TypedField[] = []
  const marked = (field: Field, path: string, value: unknown) => {
    if (typeof value !== 'string' || (value === '' && field.optional && path !== focusedPath)) return value
    texts.push({ field, path, value })
    return `${value}${start}${shifted(String(texts.length - 1), 0xe010 - 0x30)}${end}`
  }
  const inObject = (fields: readonly Field[], values: Values, at: string): Values => {
    const copy = { ...values }
    for (const field of fields) {
      const value = values[field.name]
      const path = at + field.name
      if (field.kind === 'text' || field.kind === 'textarea' || field.kind === 'richText') {
        if (field.name in values) copy[field.name] = marked(field, path, value)
      } else if (field.kind === 'texts' && Array.isArray(value)) {
        copy[field.name] = value.map((one, index) => marked(field, `${path}.${index}`, one))
      } else if (field.kind === 'object' && value) {
        copy[field.name] = inObject(field.fields, value as Values, `${path}.`)
      } else if (field.kind === 'objects' && Array.isArray(value)) {
        copy[field.name] = value.map((one: Values, index) => inObject(field.fields, one, `${path}.${index}.`))
      }
    }
    return copy
  }
  return { block: inObject(fields, block, ''), texts }
}

/**
 * Replaces the marked texts of a rendered view, and removes the marks elsewhere. A text that the view changed, beyond
 * filling its placeholders, is not replaced: the input would differ from the shown text.
 * @param parts.fill as the view fills a text
 */
export function replaceMarked(
  view: ReactNode,
  parts: {
    texts: readonly TypedField[]
    fill: (typed: TypedField) => string
    render: (element: TypedElement) => ReactNode
  },
): ReactNode {
  const { texts, fill, render } = parts
  const found = (text: string): { typed: TypedField; shown: string } | undefined => {
    const [marked = ''] = text.match(mark) ?? []
    const typed = marked ? texts[Number(shifted(marked.slice(1, -1), 0x30 - 0xe010))] : undefined
    if (!typed || !text.endsWith(end)) return undefined
    const shown = plain(text)
    const filled = fill(typed)
    return shown === filled || shown === localizeDigits('fa', filled) ? { typed, shown } : undefined
  }
  const walk = (node: ReactNode): ReactNode => {
    if (typeof node === 'string') {
      const text = isMarked(node) ? found(node) : undefined
      if (text && text.typed.field.kind !== 'richText') return render({ ...text, as: 'span', attributes: {} })
      return plain(node)
    }
    if (Array.isArray(node)) return node.map(walk)
    return isValidElement<Values>(node) ? walkElement(node) : node
  }
  const walkElement = (element: ReactElement<Values>): ReactNode => {
    const { type, props, key } = element
    const { children, dangerouslySetInnerHTML, ...others } = props as {
      children?: ReactNode
      dangerouslySetInnerHTML?: { __html: string }
    }
    const attributes = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, walkValue(value)]))
    const withKey = (one: ReactNode) =>
      isValidElement(one) && key !== null ? cloneElement(one as ReactElement, { key }) : one
    if (typeof type === 'string') {
      const html = dangerouslySetInnerHTML?.__html
      const text = found(html ?? (typeof children === 'string' ? children : ''))
      const fits = text && (text.typed.field.kind === 'richText') === (html !== undefined)
      if (text && fits) return withKey(render({ ...text, as: type, attributes }))
      if (html !== undefined) {
        return withKey(createElement(type, { ...attributes, dangerouslySetInnerHTML: { __html: plain(html) } }))
      }
      // Closed, the answers to questions could not be reached.
      if (type === 'details') attributes.open = true
    }
    if (children === undefined) return cloneElement(element, attributes)
    return Array.isArray(children)
      ? cloneElement(element, attributes, ...children.map(walk))
      : cloneElement(element, attributes, walk(children))
  }
  const walkValue = (value: unknown): unknown => {
    if (typeof value === 'string') return plain(value)
    if (Array.isArray(value)) return value.map(walkValue)
    return isValidElement(value) ? walk(value) : value
  }
  return walk(view)
}

const isMarked = (text: string) => text.includes(start)
const plain = (text: string) => text.replace(mark, '').replace(strayMarks, '')

/** Copies a block's values with another text at a path. */
export function withText<Value>(value: Value, path: string, text: string): Value {
  const [name = '', ...rest] = path.split('.')
  if (Array.isArray(value)) {
    return value.with(
      Number(name),
      rest.length === 0 ? text : withText(value[Number(name)], rest.join('.'), text),
    ) as Value
  }
  const values = (value ?? {}) as Values
  return { ...values, [name]: rest.length === 0 ? text : withText(values[name], rest.join('.'), text) } as Value
}
