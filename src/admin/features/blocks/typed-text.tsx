import { type ComponentData, useGetPuck } from '@puckeditor/core'
import {
  createContext,
  createElement,
  type Dispatch,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type SetStateAction,
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

/** The block whose texts are rendered. */
export const TypedBlockContext = createContext<{
  id: string
  type: BlockType
  /** Called with the path of a text that gets the caret, and with undefined when it loses the caret. */
  setFocusedPath: Dispatch<SetStateAction<string | undefined>>
  /** Whether the canvas shows another text than the wrong one at a path, which is edited in the form, where the error is. */
  isWrong: (path: string) => boolean
}>({ id: '', type: 'line', setFocusedPath() {}, isWrong: () => false })

/** A text of a block that is edited in place on the canvas. */
export const TypedText = (props: TypedElement) =>
  props.typed.field.kind === 'richText' ? <RichText {...props} /> : <PlainText {...props} />

/** @returns a function that changes one text of the block, as an undo step */
function useChangeText(path: string): (text: string) => void {
  const { id } = useContext(TypedBlockContext)
  const getPuck = useGetPuck()
  return (text) => {
    const { getItemById, getSelectorForId, dispatch } = getPuck()
    const position = getSelectorForId(id)
    if (!position) return
    const item = getItemById(id) as ComponentData
    const data = { ...item, props: withText(item.props, path, text) }
    dispatch({ type: 'replace', data, destinationIndex: position.index, destinationZone: position.zone })
  }
}

/**
 * One text, with its placeholders in brackets while it has the caret and filled otherwise. React renders no content into
 * the element: while somebody types, nothing else may write there.
 */
function PlainText({ typed, as, attributes, shown }: TypedElement) {
  const { field, path, value } = typed
  const block = useContext(TypedBlockContext)
  const uiLocale = useLocale()
  const change = useChangeText(path)
  const ref = useRef<HTMLElement>(null)
  const [typing, setTyping] = useState(false)
  /** The text that the element contains. */
  const elementText = useRef<string>(undefined)
  const isSingleLine = field.kind !== 'textarea'
  const text = typing ? value : shown

  useLayoutEffect(() => {
    const element = ref.current
    if (!element || elementText.current === text) return
    // Not typed here: the caret came or left, or undo, the form or another person changed the text.
    elementText.current = text
    const caret = typing ? caretOffsetIn(element) : undefined
    element.textContent = text
    if (caret !== undefined) setCaret(element, Math.min(caret, text.length))
  }, [text, typing])

  const onInput = () => {
    const input = readText(ref.current, isSingleLine)
    if (input === elementText.current) return
    elementText.current = input
    change(input)
  }
  const startTyping = () => {
    setTyping(true)
    block.setFocusedPath(path)
    const element = ref.current
    if (!element || !isDefaultText(block.type, field.path, value)) return
    // Selects the sample text, which typing then replaces. In the next frame, when the click has set the caret. By then
    // Tab may have moved the focus on, and selecting an editable text would bring the focus back.
    requestAnimationFrame(() => {
      const { activeElement } = element.ownerDocument
      if (activeElement === element) element.ownerDocument.getSelection()?.selectAllChildren(element)
    })
  }
  const stopTyping = () => {
    setTyping(false)
    block.setFocusedPath(undefined)
    ref.current?.ownerDocument.getSelection()?.removeAllRanges()
  }
  return createElement(as, {
    ...attributes,
    ref: ref as Ref<never>,
    'data-typed': typing ? 'now' : '',
    'data-placeholder': labelOf(block.type, field, uiLocale),
    contentEditable: block.isWrong(path) && !typing ? false : 'plaintext-only',
    suppressContentEditableWarning: true,
    spellCheck: typing,
    onInput,
    onFocus: startTyping,
    onBlur: stopTyping,
    // Without the caret, a press and a move drag the block; with it they select words.
    onPointerDownCapture: (event: Event) => typing && event.stopPropagation(),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, isSingleLine),
    // The space bar would press the summary or the button that the text is in.
    onKeyUp: (event: KeyboardEvent) => event.key === ' ' && event.preventDefault(),
  })
}

function onKeyDown(event: KeyboardEvent<HTMLElement>, isSingleLine: boolean): void {
  // Keeps keys from the editor, for which Delete removes the block. Ctrl+S still saves the page.
  if (!((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's')) event.stopPropagation()
  if (event.nativeEvent.isComposing) return
  if (event.key === 'Escape') focusBlockAt(event.currentTarget)
  if (event.key === 'Enter' && isSingleLine) event.preventDefault()
}

/**
 * The text of an element. In a single line, line breaks become spaces; otherwise the last one is left out, which
 * browsers add so that the caret can be on an empty last line.
 */
function readText(element: HTMLElement | null, isSingleLine: boolean): string {
  const text = element?.textContent ?? ''
  return isSingleLine ? text.replace(/[\r\n]+/g, ' ') : text.replace(/\n$/, '')
}

function caretOffsetIn(element: HTMLElement): number | undefined {
  const selection = element.ownerDocument.getSelection()
  return selection?.anchorNode && element.contains(selection.anchorNode) ? selection.anchorOffset : undefined
}

function setCaret(element: HTMLElement, offset: number): void {
  element.ownerDocument.getSelection()?.collapse(element.firstChild ?? element, offset)
}

const Editor = lazyPart(async () => (await import('./typed-rich-text.tsx')).TypedRichText)

/** Loads the editor of rich text before it is rendered. */
export const richTextOnPage = { load: Editor.load }

/** Rich text as visitors see it; a click or Enter puts an editor in its place. */
function RichText({ typed, as, attributes, shown }: TypedElement) {
  const block = useContext(TypedBlockContext)
  const uiLocale = useLocale()
  const change = useChangeText(typed.path)
  /** Where the editor sets the caret, in the canvas; undefined while there is no editor. */
  const [point, setPoint] = useState<{ x: number; y: number }>()
  const label = labelOf(block.type, typed.field, uiLocale)
  const startTyping = (x: number, y: number) => {
    if (block.isWrong(typed.path)) return
    void openWhenLoaded(richTextOnPage, () => {
      setPoint({ x, y })
      block.setFocusedPath(typed.path)
    })
  }
  const stopTyping = () => {
    setPoint(undefined)
    // By then another text of the block may have the focus.
    block.setFocusedPath((current) => (current === typed.path ? undefined : current))
  }
  if (point) {
    return (
      <Editor
        key="editor"
        {...{ as, attributes, label, point }}
        isSample={isDefaultText(block.type, typed.field.path, typed.value)}
        value={typed.value}
        onChange={change}
        onEnd={stopTyping}
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
    // In the capture phase: Puck stops the propagation of a click at its block.
    onClickCapture: (event: MouseEvent) => startTyping(event.clientX, event.clientY),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      const { left, top } = event.currentTarget.getBoundingClientRect()
      startTyping(left, top)
    },
  })
}
