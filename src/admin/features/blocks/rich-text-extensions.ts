import type { Editor } from '@tiptap/core'
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
import { cleanHtml } from '../../../blocks/clean-html.ts'
import { isLinkUrl } from '../../../contract/url.ts'

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
