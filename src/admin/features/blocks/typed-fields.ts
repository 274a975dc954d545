import { cloneElement, createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import type { Field } from '../../../blocks/fields.ts'
import { localizeDigits } from '../../../contract/locales.ts'

/** A text field of a block, as it is edited on the canvas. */
export interface TypedField {
  field: Field
  /** Path in the block: `items.0.question`. */
  path: string
  /** As stored, with its placeholders. */
  value: string
}

/** The props of the editable replacement of an element with a text. */
export interface TypedElement {
  typed: TypedField
  /** The tag name of the element that holds nothing but the text. */
  as: string
  attributes: Record<string, unknown>
  /** The text as visitors see it, or the HTML of rich text. */
  shown: string
}

type Values = Record<string, unknown>

/** A mark is `start`, the index of the text in private-use digits, and `end`. */
const start = '\ue000'
const end = '\ue001'
const zero = '0'.charCodeAt(0)
const privateZero = 0xe010
const privateDigits = '\ue010-\ue019'
const markPattern = new RegExp(`${start}[${privateDigits}]+${end}`, 'g')
const strayCharacters = new RegExp(`[${start}${end}]`, 'g')

const shiftCharacters = (text: string, by: number) =>
  [...text].map((character) => String.fromCharCode(character.charCodeAt(0) + by)).join('')

/** Private-use digits, because a view that localizes digits leaves them alone. */
const markOf = (index: number) => `${start}${shiftCharacters(String(index), privateZero - zero)}${end}`
const indexOfMark = (mark: string) => Number(shiftCharacters(mark.slice(1, -1), zero - privateZero))

/**
 * Copies a block with a mark at the end of each text, from private-use characters, so that a view needs no code for
 * typing: wherever it puts the text, the mark tells which field it is. An empty optional text has no mark, because views
 * leave its element out.
 * @param focusedPath the path of a text that is being typed, which has a mark even when it is empty
 * @returns the copy, and the marked texts: a mark has the index of its text in `texts`
 */
export function markTexts(
  fields: readonly Field[],
  block: Values,
  focusedPath: string | undefined,
): { block: Values; texts: TypedField[] } {
  const texts: TypedField[] = []
  const markText = (field: Field, path: string, value: unknown) => {
    if (typeof value !== 'string' || (value === '' && field.optional && path !== focusedPath)) return value
    texts.push({ field, path, value })
    return value + markOf(texts.length - 1)
  }
  const markIn = (fields: readonly Field[], values: Values, pathPrefix: string): Values => {
    const copy = { ...values }
    for (const field of fields) {
      const value = values[field.name]
      const path = pathPrefix + field.name
      if (field.kind === 'text' || field.kind === 'textarea' || field.kind === 'richText') {
        if (field.name in values) copy[field.name] = markText(field, path, value)
      } else if (field.kind === 'texts' && Array.isArray(value)) {
        copy[field.name] = value.map((text, index) => markText(field, `${path}.${index}`, text))
      } else if (field.kind === 'object' && value) {
        copy[field.name] = markIn(field.fields, value as Values, `${path}.`)
      } else if (field.kind === 'objects' && Array.isArray(value)) {
        copy[field.name] = value.map((entry: Values, index) => markIn(field.fields, entry, `${path}.${index}.`))
      }
    }
    return copy
  }
  return { block: markIn(fields, block, ''), texts }
}

/**
 * Replaces the marked texts of a rendered view, and removes the marks elsewhere. A text that the view changed, beyond
 * filling its placeholders and localizing digits, is not replaced: the input would differ from the shown text.
 * @param options.fill fills the placeholders of a text as the view does
 */
export function replaceMarked(
  view: ReactNode,
  options: {
    texts: readonly TypedField[]
    fill: (typed: TypedField) => string
    render: (element: TypedElement) => ReactNode
  },
): ReactNode {
  const { texts, fill, render } = options
  /** The field of a marked text; undefined for a text without a mark at its end and for one that the view changed. */
  const findField = (text: string): { typed: TypedField; shown: string } | undefined => {
    const [mark] = text.match(markPattern) ?? []
    const typed = mark ? texts[indexOfMark(mark)] : undefined
    if (!typed || !text.endsWith(end)) return undefined
    const shown = withoutMarks(text)
    const filled = fill(typed)
    return shown === filled || shown === localizeDigits('fa', filled) ? { typed, shown } : undefined
  }
  const walk = (node: ReactNode): ReactNode => {
    if (typeof node === 'string') {
      const text = isMarked(node) ? findField(node) : undefined
      if (text && text.typed.field.kind !== 'richText') return render({ ...text, as: 'span', attributes: {} })
      return withoutMarks(node)
    }
    if (Array.isArray(node)) return node.map(walk)
    return isValidElement<Values>(node) ? walkElement(node) : node
  }
  const walkElement = (element: ReactElement<Values>): ReactNode => {
    const { type, props, key } = element
    const { children, dangerouslySetInnerHTML, ...otherProps } = props as {
      children?: ReactNode
      dangerouslySetInnerHTML?: { __html: string }
    }
    const attributes = Object.fromEntries(Object.entries(otherProps).map(([name, value]) => [name, walkValue(value)]))
    const withKey = (node: ReactNode) =>
      isValidElement(node) && key !== null ? cloneElement(node as ReactElement, { key }) : node
    if (typeof type === 'string') {
      const html = dangerouslySetInnerHTML?.__html
      const text = findField(html ?? (typeof children === 'string' ? children : ''))
      const isRichText = text?.typed.field.kind === 'richText'
      if (text && isRichText === (html !== undefined)) return withKey(render({ ...text, as: type, attributes }))
      if (html !== undefined) {
        return withKey(createElement(type, { ...attributes, dangerouslySetInnerHTML: { __html: withoutMarks(html) } }))
      }
      // Open, because a summary does not toggle on the canvas: a closed text could not be reached.
      if (type === 'details') attributes.open = true
    }
    if (children === undefined) return cloneElement(element, attributes)
    return Array.isArray(children)
      ? cloneElement(element, attributes, ...children.map(walk))
      : cloneElement(element, attributes, walk(children))
  }
  const walkValue = (value: unknown): unknown => {
    if (typeof value === 'string') return withoutMarks(value)
    if (Array.isArray(value)) return value.map(walkValue)
    return isValidElement(value) ? walk(value) : value
  }
  return walk(view)
}

const isMarked = (text: string) => text.includes(start)
/** Also removes the start of a mark that the view has cut; its digits stay. */
const withoutMarks = (text: string) => text.replace(markPattern, '').replace(strayCharacters, '')

/**
 * Copies a block's values with another text at a path such as `items.0.question`. The fields need not exist yet, but
 * the list entries must.
 */
export function withText<Value>(value: Value, path: string, text: string): Value {
  const [name = '', ...rest] = path.split('.')
  const changed = (inner: unknown) => (rest.length === 0 ? text : withText(inner, rest.join('.'), text))
  if (Array.isArray(value)) return value.with(Number(name), changed(value[Number(name)])) as Value
  const values = (value ?? {}) as Values
  return { ...values, [name]: changed(values[name]) } as Value
}
