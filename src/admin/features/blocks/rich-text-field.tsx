import { Input } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { useEditor } from '@tiptap/react'
import { useEffect, useId, useRef } from 'react'
import { cleanHtml } from '../../../blocks/clean-html.ts'
import { direction, type Locale } from '../../../contract/locales.ts'
import { useLatest } from '../../components/latest.ts'
import { useText } from '../../i18n.ts'
import './rich-text-parts.css'
import Blockquote from '@tiptap/extension-blockquote'
import Bold from '@tiptap/extension-bold'
import Code from '@tiptap/extension-code'
import Document from '@tiptap/extension-document'
import HardBreak from '@tiptap/extension-hard-break'
import Heading from '@tiptap/extension-heading'
import HorizontalRule from '@tiptap/extension-horizontal-rule'
import Italic from '@tiptap/extension-italic'
import Link from '@tiptap/extension-link'
import { BulletList, ListItem, OrderedList } from '@tiptap/extension-list'
import Paragraph from '@tiptap/extension-paragraph'
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import Text from '@tiptap/extension-text'
import { UndoRedo } from '@tiptap/extensions'
import { isLinkUrl } from '../../../contract/url.ts'
import styles from './rich-text.module.css'
import { RichTextTools } from './rich-text-tools.tsx'

/** A rich text editor limited to what `clean-html.ts` allows; its value is as the server would store it. */
export default function RichTextField(props: {
  label: string
  value: string
  onChange: (value: string) => void
  problem: string | undefined
  locale: Locale
}) {
  const { label, value, onChange, problem, locale } = props
  const t = useText()
  const id = useId()
  const latest = useLatest(onChange)
  const own = useRef(value)
  const editor = useEditor({
    extensions: richTextExtensions,
    content: value,
    immediatelyRender: true,
    shouldRerenderOnTransaction: true,
    editorProps: { attributes: attributesOf({ id, label, problem, locale }) },
    onUpdate({ editor }) {
      const html = editor.isEmpty ? '' : storedHtml(editor.getHTML())
      if (html === own.current) return
      own.current = html
      latest.current(html)
    },
  })

  // A value that was not typed here comes from undo, restore or a merge.
  useEffect(() => {
    if (value === own.current) return
    own.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  useEffect(() => {
    editor.setOptions({ editorProps: { attributes: attributesOf({ id, label, problem, locale }) } })
  }, [editor, id, label, problem, locale])

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
        labels={{
          boldControlLabel: t('blocks.text.bold'),
          italicControlLabel: t('blocks.text.italic'),
          codeControlLabel: t('blocks.text.code'),
          h2ControlLabel: t('blocks.text.heading', { level: 2 }),
          h3ControlLabel: t('blocks.text.heading', { level: 3 }),
          h4ControlLabel: t('blocks.text.heading', { level: 4 }),
          bulletListControlLabel: t('blocks.text.bullets'),
          orderedListControlLabel: t('blocks.text.numbers'),
          blockquoteControlLabel: t('blocks.text.quote'),
          hrControlLabel: t('blocks.text.line'),
          undoControlLabel: t('blocks.text.undo'),
          redoControlLabel: t('blocks.text.redo'),
        }}
      >
        <RichTextTools editor={editor} />
        <RichTextEditor.Content className={styles.content} />
      </RichTextEditor>
    </Input.Wrapper>
  )
}

/** The browser's serialisation has one named entity that XML has not: the admin's sanitizer knows only those of XML. */
const storedHtml = (html: string): string => cleanHtml(html.replaceAll('&nbsp;', '\u00a0'))

function attributesOf(of: { id: string; label: string; problem: string | undefined; locale: Locale }) {
  const { id, label, problem, locale } = of
  return {
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    lang: locale,
    dir: direction[locale],
    ...(problem && { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }),
  }
}

/** Exactly the tags of `clean-html.ts`: pasting removes the rest at once, so the user sees it. */
const richTextExtensions = [
  Document,
  Paragraph,
  Text,
  HardBreak,
  Bold,
  Italic,
  Code,
  Heading.configure({ levels: [2, 3, 4] }),
  BulletList,
  OrderedList,
  ListItem,
  Blockquote,
  HorizontalRule,
  UndoRedo,
  Link.configure({
    openOnClick: false,
    autolink: false,
    linkOnPaste: true,
    isAllowedUri: (url) => isLinkUrl(url),
    HTMLAttributes: { target: null, rel: null, class: null },
  }),
  Table.configure({ resizable: false }),
  TableRow,
  TableCell,
  TableHeader.extend({
    addAttributes() {
      return { ...this.parent?.(), scope: { default: 'col' } }
    },
  }),
]
