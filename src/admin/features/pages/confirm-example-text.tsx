import { blocksWithSampleText } from '../../../blocks/sample-texts.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { currentLocale, translate } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import type { PageEditor } from './page-editor.ts'

/** Asks before a page with example texts of new blocks is published. @returns whether to continue */
export async function confirmExampleText({ text }: Pick<PageEditor, 'text'>): Promise<boolean> {
  const blocks = blocksWithSampleText(text.body as StoredBlock[])
  if (blocks.length === 0) return true
  const names = [...new Set(blocks.map(({ type }) => blockName(type, currentLocale())))]
  const nameList = new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(names)
  return confirmInDialog({
    title: translate('pages.examples.title'),
    text: `${translate('pages.examples.text')} ${nameList}.`,
    yes: translate('pages.examples.yes'),
    no: translate('pages.examples.no'),
  })
}
