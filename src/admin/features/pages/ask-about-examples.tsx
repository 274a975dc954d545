import { blocksWithExamples } from '../../../blocks/examples.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { ask } from '../../components/ask.tsx'
import { say, spokenLocale } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.ts'
import type { PageWork } from './page-work.ts'

/** Warns of the texts that nobody replaced before visitors see them. @returns whether to go on */
export async function askAboutExamples({ text }: Pick<PageWork, 'text'>): Promise<boolean> {
  const found = blocksWithExamples(text.body as StoredBlock[])
  if (found.length === 0) return true
  const names = [...new Set(found.map(({ type }) => blockName(type, spokenLocale())))]
  return ask({
    title: say('pages.examples.title'),
    text: `${say('pages.examples.text')} ${new Intl.ListFormat(spokenLocale(), { type: 'conjunction' }).format(names)}.`,
    yes: say('pages.examples.yes'),
    no: say('pages.examples.no'),
  })
}
