import { Button, TextInput } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
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
import type { ChainedCommands, Editor } from '@tiptap/react'
import { Columns3, Link2, Link2Off, Rows3, Table2, TableCellsMerge, Trash2 } from 'lucide-react'
import { type ReactNode, useContext, useState } from 'react'
import { cleanHtml } from '../../../blocks/clean-html.ts'
import { isLinkUrl } from '../../../contract/url.ts'
import { useText } from '../../i18n.ts'
import { InLockedBlock } from './block-locks.ts'
import styles from './rich-text.module.css'

type Change = (chain: ChainedCommands) => ChainedCommands

/** The toolbar, with a row to edit a link's URL below it. */
export function RichTextTools({ editor }: { editor: Editor }) {
  const t = useText()
  const [linking, setLinking] = useState(false)
  // A locked block's links keep their addresses.
  const locked = useContext(InLockedBlock)
  const tool = (
    name: 'addRow' | 'addColumn' | 'deleteRow' | 'deleteTable' | 'table',
    icon: ReactNode,
    change: Change,
  ) => (
    <RichTextEditor.Control aria-label={t(`blocks.text.${name}`)} onClick={() => change(editor.chain().focus()).run()}>
      {icon}
    </RichTextEditor.Control>
  )
  return (
    <RichTextEditor.Toolbar className={styles.tools} role="toolbar" aria-label={t('blocks.text.tools')}>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Bold />
        <RichTextEditor.Italic />
        <RichTextEditor.Code />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.H2 />
        <RichTextEditor.H3 />
        <RichTextEditor.H4 />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.BulletList />
        <RichTextEditor.OrderedList />
        <RichTextEditor.Blockquote />
        <RichTextEditor.Hr />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        {!locked && (
          <RichTextEditor.Control
            aria-label={t('blocks.text.link')}
            aria-expanded={linking}
            active={editor.isActive('link')}
            onClick={() => setLinking(!linking)}
          >
            <Link2 />
          </RichTextEditor.Control>
        )}
        <RichTextEditor.Control
          aria-label={t('blocks.text.unlink')}
          disabled={!editor.isActive('link')}
          onClick={() => editor.chain().focus().extendMarkRange('link').unsetLink().run()}
        >
          <Link2Off />
        </RichTextEditor.Control>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        {editor.isActive('table') ? (
          <>
            {tool('addRow', <Rows3 />, (chain) => chain.addRowAfter())}
            {tool('addColumn', <Columns3 />, (chain) => chain.addColumnAfter())}
            {tool('deleteRow', <TableCellsMerge />, (chain) => chain.deleteRow())}
            {tool('deleteTable', <Trash2 />, (chain) => chain.deleteTable())}
          </>
        ) : (
          tool('table', <Table2 />, (chain) => chain.insertTable({ rows: 3, cols: 2, withHeaderRow: true }))
        )}
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
      {linking && <LinkRow editor={editor} onDone={() => setLinking(false)} />}
    </RichTextEditor.Toolbar>
  )
}

/** The names of the tools. */
export function useRichTextLabels() {
  const t = useText()
  return {
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
  }
}

/** Edits the URL of the selected text. A URL that the server would refuse is refused here, with the reason. */
function LinkRow({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const t = useText()
  const [url, setUrl] = useState(String(editor.getAttributes('link').href ?? ''))
  const [wrong, setWrong] = useState(false)
  const set = () => {
    const address = url.trim()
    if (!isLinkUrl(address)) return setWrong(true)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && !editor.isActive('link')) {
      chain.insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] }).run()
    } else {
      chain.setLink({ href: address }).run()
    }
    onDone()
  }
  return (
    <div className={styles.link}>
      <TextInput
        label={t('blocks.text.address')}
        description={t('blocks.urlHelp')}
        error={wrong && t('blocks.wrongUrl')}
        dir="ltr"
        inputMode="url"
        autoFocus
        value={url}
        onChange={(event) => {
          setUrl(event.currentTarget.value)
          setWrong(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            onDone()
          }
          if (event.key !== 'Enter') return
          event.preventDefault()
          set()
        }}
      />
      <Button onClick={set}>{t('blocks.text.setLink')}</Button>
    </div>
  )
}

/** Exactly the tags of `clean-html.ts`: pasting removes the rest at once, so the user sees it. */
export const richTextExtensions = [
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

/**
 * The editor's HTML as the server would store it. The browser's serialisation has one named entity that XML has not: the
 * admin's sanitizer knows only those of XML.
 */
export const storedHtml = (editor: Editor): string =>
  editor.isEmpty ? '' : cleanHtml(editor.getHTML().replaceAll('&nbsp;', '\u00a0'))
