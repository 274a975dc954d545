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
import { InLockedBlockContext } from './block-locks.ts'
import { adaptPastedHtml } from './pasted-html.ts'
import styles from './rich-text.module.css'

type Change = (chain: ChainedCommands) => ChainedCommands

/** The toolbar of a rich text editor, with a row below it to edit a link's URL. */
export function RichTextTools({ editor }: { editor: Editor }) {
  const t = useText()
  const [isEditingLink, setIsEditingLink] = useState(false)
  // The links of a locked block keep their URLs.
  const locked = useContext(InLockedBlockContext)
  const renderControl = (
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
            aria-expanded={isEditingLink}
            active={editor.isActive('link')}
            onClick={() => setIsEditingLink(!isEditingLink)}
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
            {renderControl('addRow', <Rows3 />, (chain) => chain.addRowAfter())}
            {renderControl('addColumn', <Columns3 />, (chain) => chain.addColumnAfter())}
            {renderControl('deleteRow', <TableCellsMerge />, (chain) => chain.deleteRow())}
            {renderControl('deleteTable', <Trash2 />, (chain) => chain.deleteTable())}
          </>
        ) : (
          renderControl('table', <Table2 />, (chain) => chain.insertTable({ rows: 3, cols: 2, withHeaderRow: true }))
        )}
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
      {isEditingLink && <LinkRow editor={editor} onDone={() => setIsEditingLink(false)} />}
    </RichTextEditor.Toolbar>
  )
}

/** The accessible names of Mantine's own controls, in the user's language. */
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
  const [isInvalid, setIsInvalid] = useState(false)
  const applyUrl = () => {
    const href = url.trim()
    if (!isLinkUrl(href)) return setIsInvalid(true)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && !editor.isActive('link')) {
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    } else {
      chain.setLink({ href }).run()
    }
    onDone()
  }
  return (
    <div className={styles.link}>
      <TextInput
        label={t('blocks.text.address')}
        description={t('blocks.urlHelp')}
        error={isInvalid && t('blocks.wrongUrl')}
        dir="ltr"
        inputMode="url"
        autoFocus
        value={url}
        onChange={(event) => {
          setUrl(event.currentTarget.value)
          setIsInvalid(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            onDone()
          }
          if (event.key !== 'Enter') return
          event.preventDefault()
          applyUrl()
        }}
      />
      <Button onClick={applyUrl}>{t('blocks.text.setLink')}</Button>
    </div>
  )
}

/** Exactly the tags of `clean-html.ts`, so that pasting removes all others at once and the user sees it. */
export const richTextExtensions = [
  Document.extend({ transformPastedHTML: adaptPastedHtml }),
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
 * The editor's HTML as the server would store it; empty for an empty editor. The browser writes no-break spaces as
 * `&nbsp;`, but the admin's sanitizer knows only the named entities of XML.
 */
export const storedHtml = (editor: Editor): string =>
  editor.isEmpty ? '' : cleanHtml(editor.getHTML().replaceAll('&nbsp;', '\u00a0'))
