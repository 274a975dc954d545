import { type ComponentData, useGetPuck } from '@puckeditor/core'
import {
  createContext,
  createElement,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isDefaultText } from '../../../blocks/block-contents.ts'
import { labelOf } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'
import { useLocale } from '../../i18n.ts'
import { focusBlockAt } from './canvas-events.ts'
import { type TypedElement, withText } from './typed-fields.ts'

/** The block whose texts are rendered, and what is called when one of them gets or loses the caret. */
export const TypedBlock = createContext<{
  id: string
  type: BlockType
  setFocusedPath: (path: string | undefined) => void
  /** The block has values that cannot be shown: its texts are typed in its form, where the error is. */
  isInvalid: boolean
}>({ id: '', type: 'line', setFocusedPath() {}, isInvalid: false })

/** A text of a block that is typed where it stands. */
export const TypedText = (props: TypedElement) =>
  props.typed.field.kind === 'richText' ? <RichText {...props} /> : <PlainText {...props} />

/** Changes one text of a block, as its form does. */
function useChangeText(path: string): (text: string) => void {
  const { id } = useContext(TypedBlock)
  const get = useGetPuck()
  return (text) => {
    const { getItemById, getSelectorForId, dispatch } = get()
    const at = getSelectorForId(id)
    if (!at) return
    const item = getItemById(id) as ComponentData
    const data = { ...item, props: withText(item.props, path, text) }
    dispatch({ type: 'replace', data, destinationIndex: at.index, destinationZone: at.zone })
  }
}

/**
 * One text, with its placeholders in brackets while it has the caret and filled otherwise. React renders no content into
 * the element: while somebody types, nothing else may write there.
 */
function PlainText({ typed, as, attributes, shown }: TypedElement) {
  const { field, path, value } = typed
  const block = useContext(TypedBlock)
  const uiLocale = useLocale()
  const change = useChangeText(path)
  const ref = useRef<HTMLElement>(null)
  const [typing, setTyping] = useState(false)
  /** The text last typed or shown here. */
  const own = useRef<string>(undefined)
  const isLine = field.kind !== 'textarea'
  const text = typing ? value : shown

  useLayoutEffect(() => {
    const element = ref.current
    if (!element || own.current === text) return
    // A change from elsewhere: undo, the form, another person.
    own.current = text
    const caret = typing ? caretIn(element) : undefined
    element.textContent = text
    if (caret !== undefined) setCaret(element, Math.min(caret, text.length))
  }, [text, typing])

  const onInput = () => {
    const typedNow = readText(ref.current, isLine)
    if (typedNow === own.current) return
    own.current = typedNow
    change(typedNow)
  }
  const start = () => {
    setTyping(true)
    block.setFocusedPath(path)
    const element = ref.current
    if (!element || !isDefaultText(block.type, field.path, value)) return
    // After the press that gave it the focus has put the caret: what is typed replaces the sample. By then Tab may have
    // moved on, and selecting a text that can be edited would bring the focus back.
    requestAnimationFrame(() => {
      const { activeElement } = element.ownerDocument
      if (activeElement === element) element.ownerDocument.getSelection()?.selectAllChildren(element)
    })
  }
  const stop = () => {
    setTyping(false)
    block.setFocusedPath(undefined)
    ref.current?.ownerDocument.getSelection()?.removeAllRanges()
  }
  return createElement(as, {
    ...attributes,
    ref: ref as Ref<never>,
    'data-typed': typing ? 'now' : '',
    'data-placeholder': labelOf(block.type, field, uiLocale),
    contentEditable: block.isInvalid && !typing ? false : 'plaintext-only',
    suppressContentEditableWarning: true,
    spellCheck: typing,
    onInput,
    onFocus: start,
    onBlur: stop,
    // A first press may drag the block; with the caret in the text it selects words.
    onPointerDownCapture: (event: Event) => typing && event.stopPropagation(),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, isLine),
    // In a question or a button the space bar would press it.
    onKeyUp: (event: KeyboardEvent) => event.key === ' ' && event.preventDefault(),
  })
}

function onKeyDown(event: KeyboardEvent<HTMLElement>, isLine: boolean): void {
  // Not the editor's keys, such as Delete for the block. Saving is for the whole page.
  if (!((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's')) event.stopPropagation()
  if (event.nativeEvent.isComposing) return
  if (event.key === 'Escape') focusBlockAt(event.currentTarget)
  if (event.key === 'Enter' && isLine) event.preventDefault()
}

/** Browsers end a text with a line break so that the caret can stand after the last one. */
function readText(element: HTMLElement | null, isLine: boolean): string {
  const text = element?.textContent ?? ''
  return isLine ? text.replace(/[\r\n]+/g, ' ') : text.replace(/\n$/, '')
}

function caretIn(element: HTMLElement): number | undefined {
  const selection = element.ownerDocument.getSelection()
  return selection?.anchorNode && element.contains(selection.anchorNode) ? selection.anchorOffset : undefined
}

function setCaret(element: HTMLElement, offset: number): void {
  element.ownerDocument.getSelection()?.collapse(element.firstChild ?? element, offset)
}

const Editor = lazyPart(async () => (await import('./typed-rich-text.tsx')).TypedRichText)

/** The editor of rich text, to preload it. */
export const richTextOnPage = { load: Editor.load }

/** HTML as visitors see it; a click or Enter puts an editor in its place. */
function RichText({ typed, as, attributes, shown }: TypedElement) {
  const block = useContext(TypedBlock)
  const uiLocale = useLocale()
  const change = useChangeText(typed.path)
  const [point, setPoint] = useState<{ x: number; y: number }>()
  const label = labelOf(block.type, typed.field, uiLocale)
  const start = (x: number, y: number) => {
    if (block.isInvalid) return
    void openWhenLoaded(richTextOnPage, () => {
      setPoint({ x, y })
      block.setFocusedPath(typed.path)
    })
  }
  const stop = () => {
    setPoint(undefined)
    block.setFocusedPath(undefined)
  }
  if (point) {
    return (
      <Editor
        key="editor"
        {...{ as, attributes, label, point }}
        isSample={isDefaultText(block.type, typed.field.path, typed.value)}
        value={typed.value}
        onChange={change}
        onEnd={stop}
      />
    )
  }
  return createElement(as, {
    ...attributes,
    key: 'view',
    'data-typed': '',
    'data-placeholder': label,
    tabIndex: 0,
    role: 'group',
    'aria-label': label,
    dangerouslySetInnerHTML: { __html: shown },
    // Puck stops a click at its block.
    onClickCapture: (event: MouseEvent) => start(event.clientX, event.clientY),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      const { left, top } = event.currentTarget.getBoundingClientRect()
      start(left, top)
    },
  })
}
