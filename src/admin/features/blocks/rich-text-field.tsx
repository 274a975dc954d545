import { Input } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { useEditor } from '@tiptap/react'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import { useLatest } from '../../components/latest.ts'
import { useContentDirection } from '../../site-languages.ts'
import './rich-text-parts.css'
import styles from './rich-text.module.css'
import { RichTextTools, richTextExtensions, storedHtml, useRichTextLabels } from './rich-text-tools.tsx'

/** A rich text editor limited to the HTML of `clean-html.ts`. Its value is HTML as the server would store it. */
export default function RichTextField(props: {
  label: string
  value: string
  onChange: (value: string) => void
  problem: string | undefined
  locale: Locale
}) {
  const { label, value, onChange, problem, locale } = props
  const labels = useRichTextLabels()
  const id = useId()
  const dir = useContentDirection(locale)
  const latestOnChange = useLatest(onChange)
  const editorHtml = useRef(value)
  const editor = useEditor({
    extensions: richTextExtensions,
    content: value,
    immediatelyRender: true,
    shouldRerenderOnTransaction: true,
    editorProps: { attributes: attributesOf({ id, label, problem, locale, dir }) },
    onUpdate({ editor }) {
      const html = storedHtml(editor)
      if (html === editorHtml.current) return
      editorHtml.current = html
      latestOnChange.current(html)
    },
  })

  // A value that was not typed here comes from undo, restore or a merge. In a layout effect, as in `TypedRichText`.
  useLayoutEffect(() => {
    if (value === editorHtml.current) return
    editorHtml.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  useEffect(() => {
    editor.setOptions({ editorProps: { attributes: attributesOf({ id, label, problem, locale, dir }) } })
  }, [editor, id, label, problem, locale, dir])

  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      error={problem}
      errorProps={{ id: `${id}-error` }}
      onClick={(event) => {
        if ((event.target as Element).closest('.mantine-InputWrapper-label')) editor.commands.focus()
      }}
    >
      <RichTextEditor
        editor={editor}
        className={styles.editor}
        data-error={problem ? true : undefined}
        withTypographyStyles={false}
        labels={labels}
      >
        <RichTextTools editor={editor} />
        <RichTextEditor.Content className={styles.content} />
      </RichTextEditor>
    </Input.Wrapper>
  )
}

function attributesOf(options: {
  id: string
  label: string
  problem: string | undefined
  locale: Locale
  dir: 'ltr' | 'rtl'
}) {
  const { id, label, problem, locale, dir } = options
  return {
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    lang: locale,
    dir,
    ...(problem && { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }),
  }
}
