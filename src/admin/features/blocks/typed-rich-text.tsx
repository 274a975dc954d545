import { RichTextEditor } from '@mantine/tiptap'
import { Editor } from '@tiptap/core'
import { createElement, type KeyboardEvent, type Ref, useContext, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLatest } from '../../components/latest.ts'
import { focusBlockAt } from './canvas-events.ts'
import { CanvasTools } from './canvas-tools.ts'
import './rich-text-parts.css'
import styles from './rich-text.module.css'
import { RichTextTools, richTextExtensions, storedHtml, useRichTextLabels } from './rich-text-tools.tsx'

/** An editor in the place of rich text on the canvas. Its tools are outside of the canvas. */
export function TypedRichText(props: {
  as: string
  attributes: Record<string, unknown>
  value: string
  label: string
  /** Where it was clicked, in the canvas. */
  point: { x: number; y: number }
  /** The first input replaces it. */
  isSample: boolean
  onChange: (html: string) => void
  onEnd: () => void
}) {
  const { as, attributes, value, label, point, isSample, onChange, onEnd } = props
  const host = useRef<HTMLElement>(null)
  const tools = useContext(CanvasTools)
  const latest = useLatest({ onChange, onEnd, tools })
  const own = useRef(value)
  const [editor, setEditor] = useState<Editor>()
  const [, countTransaction] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor from the click until the caret leaves
  useLayoutEffect(() => {
    if (!host.current) return undefined
    const made = new Editor({
      // On the element itself: the site's styles name its children.
      element: { mount: host.current },
      extensions: richTextExtensions,
      content: value,
      injectCSS: false,
      editorProps: { attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label } },
      onUpdate: ({ editor }) => {
        const html = storedHtml(editor)
        if (html === own.current) return
        own.current = html
        latest.current.onChange(html)
      },
      onTransaction: () => countTransaction((count) => count + 1),
      // The tools belong to the text: their field for a link has the focus in another document.
      onBlur: () =>
        setTimeout(() => {
          if (!made.isFocused && !latest.current.tools?.contains(document.activeElement)) latest.current.onEnd()
        }),
    })
    const at = made.view.posAtCoords({ left: point.x, top: point.y })
    // The command waits for the next frame, and what is typed before it would be lost.
    made.view.focus()
    made.commands.focus(isSample ? 'all' : (at?.pos ?? 'end'), { scrollIntoView: false })
    setEditor(made)
    return () => made.destroy()
  }, [])

  // A value that was not typed here comes from undo, the form or a merge. At once: a later effect would compare the value with
  // what has been typed since.
  useLayoutEffect(() => {
    if (value === own.current) return
    own.current = value
    editor?.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  return (
    <>
      {createElement(as, {
        ...attributes,
        ref: host as Ref<never>,
        'data-typed': 'now',
        onPointerDownCapture: (event: Event) => event.stopPropagation(),
        onKeyUp: (event: KeyboardEvent) => event.key === ' ' && event.preventDefault(),
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
