import { RichTextEditor } from '@mantine/tiptap'
import { Editor } from '@tiptap/core'
import { createElement, type KeyboardEvent, type Ref, useContext, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLatest } from '../../components/latest.ts'
import { focusBlockAt } from './canvas-events.ts'
import { TextToolsContext } from './canvas-tools.ts'
import './rich-text-parts.css'
import styles from './rich-text.module.css'
import { RichTextTools, richTextExtensions, storedHtml, useRichTextLabels } from './rich-text-tools.tsx'

/** An editor of rich text in place on the canvas. Its toolbar is in the element of `TextToolsContext`. */
export function TypedRichText(props: {
  as: string
  attributes: Record<string, unknown>
  value: string
  label: string
  /** Where to set the caret, in pixels of the canvas. */
  point: { x: number; y: number }
  /** Whether the value is the sample text of a new block, which is selected so that typing replaces it. */
  isSample: boolean
  onChange: (html: string) => void
  /** Called when the editor and its toolbar have lost the focus, and after Escape. */
  onEnd: () => void
}) {
  const { as, attributes, value, label, point, isSample, onChange, onEnd } = props
  const host = useRef<HTMLElement>(null)
  const tools = useContext(TextToolsContext)
  const latest = useLatest({ onChange, onEnd, tools })
  const editorHtml = useRef(value)
  const [editor, setEditor] = useState<Editor>()
  /** Renders the toolbar again, whose buttons show the state at the caret. */
  const [, countTransaction] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor from the click until the caret leaves
  useLayoutEffect(() => {
    if (!host.current) return undefined
    const newEditor = new Editor({
      // On the element itself: the site's styles select its children.
      element: { mount: host.current },
      extensions: richTextExtensions,
      content: value,
      injectCSS: false,
      editorProps: { attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label } },
      onUpdate: ({ editor }) => {
        const html = storedHtml(editor)
        if (html === editorHtml.current) return
        editorHtml.current = html
        latest.current.onChange(html)
      },
      onTransaction: () => countTransaction((count) => count + 1),
      // The editor stays while the focus is in its toolbar, such as in the field for a link. The canvas is an iframe, and the
      // toolbar is in the document around it.
      onBlur: () =>
        setTimeout(() => {
          if (!newEditor.isFocused && !latest.current.tools?.contains(document.activeElement)) latest.current.onEnd()
        }),
    })
    const clicked = newEditor.view.posAtCoords({ left: point.x, top: point.y })
    // At once, because `commands.focus` waits for the next frame, and what is typed before it would be lost.
    newEditor.view.focus()
    newEditor.commands.focus(isSample ? 'all' : (clicked?.pos ?? 'end'), { scrollIntoView: false })
    setEditor(newEditor)
    return () => newEditor.destroy()
  }, [])

  // A value that was not typed here comes from undo, the form or a merge. In a layout effect, because a later effect
  // would compare the value with text that was typed since.
  useLayoutEffect(() => {
    if (value === editorHtml.current) return
    editorHtml.current = value
    editor?.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  return (
    <>
      {createElement(as, {
        ...attributes,
        ref: host as Ref<never>,
        'data-typed': 'now',
        // Puck would drag the block.
        onPointerDownCapture: (event: Event) => event.stopPropagation(),
        // The space bar would press the button, or open the question, that the text is in.
        onKeyUp: (event: KeyboardEvent) => event.key === ' ' && event.preventDefault(),
        // The keys of the canvas, such as Delete, are for blocks. Ctrl+S saves the page here too.
        onKeyDown: (event: KeyboardEvent) => {
          if (!((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's')) event.stopPropagation()
          if (event.key !== 'Escape') return
          focusBlockAt(event.currentTarget as Element)
          latest.current.onEnd()
        },
      })}
      {editor && tools && createPortal(<Tools editor={editor} />, tools)}
    </>
  )
}

function Tools({ editor }: { editor: Editor }) {
  const labels = useRichTextLabels()
  return (
    <RichTextEditor editor={editor as never} className={styles.floating} labels={labels} withTypographyStyles={false}>
      <RichTextTools editor={editor as never} />
    </RichTextEditor>
  )
}
