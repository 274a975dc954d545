import { blocksWithExamples } from '../../../blocks/block-contents.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { currentLocale, translate } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import type { PageEditor } from './page-editor.ts'

/** Warns before example texts are published. @returns whether to continue */
export async function confirmExampleText({ text }: Pick<PageEditor, 'text'>): Promise<boolean> {
  const found = blocksWithExamples(text.body as StoredBlock[])
  if (found.length === 0) return true
  const names = [...new Set(found.map(({ type }) => blockName(type, currentLocale())))]
  return confirmInDialog({
    title: translate('pages.examples.title'),
    text: `${translate('pages.examples.text')} ${new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(names)}.`,
    yes: translate('pages.examples.yes'),
    no: translate('pages.examples.no'),
  })
}
