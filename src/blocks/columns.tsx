import type { ReactNode } from 'react'
import { z } from 'zod'
import type { StoredBlock } from '../contract/site-config.ts'
import { defineBlock, type RenderContext } from './define-block.ts'

/**
 * Defines the block with other blocks in columns, which are stacked on a narrow screen.
 * @param options passed by the registry, which knows all blocks: the schema of the blocks in a column, and their
 * rendering
 */
export function columnsOf<InnerBlock extends z.ZodType<StoredBlock>>(options: {
  innerBlock: InnerBlock
  render: (list: readonly StoredBlock[], context: RenderContext) => ReactNode
}) {
  const column = z.strictObject({ blocks: z.array(options.innerBlock).max(20) })
  return defineBlock({
    type: 'columns',
    group: 'lists',
    stylesheets: ['columns'],
    fields: {
      widest: z.enum(['none', 'first', 'last']).default('none'),
      columns: z.array(column).min(2).max(4),
    },
    labels: {
      name: { nl: 'Kolommen', fa: 'ستون‌ها', en: 'Columns' },
      hint: {
        nl: 'Twee tot vier kolommen met eigen blokken.',
        fa: 'دو تا چهار ستون با بلوک‌های خودشان.',
        en: 'Two to four columns with blocks of their own.',
      },
      keywords: { nl: 'kolommen raster grid', fa: 'ستون', en: 'columns grid' },
      fields: {
        widest: { nl: 'Breedste kolom', fa: 'پهن‌ترین ستون', en: 'Widest column' },
        columns: { nl: 'Kolommen', fa: 'ستون‌ها', en: 'Columns' },
      },
      nestedFields: {
        'columns.blocks': { nl: 'Blokken in deze kolom', fa: 'بلوک‌های این ستون', en: 'Blocks in this column' },
      },
      choices: {
        'widest.none': { nl: 'Alle even breed', fa: 'همه هم‌اندازه', en: 'All the same width' },
        'widest.first': { nl: 'De eerste', fa: 'ستون اول', en: 'The first' },
        'widest.last': { nl: 'De laatste', fa: 'ستون آخر', en: 'The last' },
      },
    },
    defaults: {
      // Cast because the schema of the inner blocks is not known here.
      nl: { columns: [sampleHtml.nl, sampleHtml.nl].map(textColumn) as never },
      fa: { columns: [sampleHtml.fa, sampleHtml.fa].map(textColumn) as never },
      en: { columns: [sampleHtml.en, sampleHtml.en].map(textColumn) as never },
    },
    View(block, context) {
      const render = context.renderNested ?? ((list: readonly StoredBlock[]) => options.render(list, context))
      return (
        <div className={block.widest === 'none' ? 'columns' : `columns ${block.widest}`}>
          {(block.columns as { blocks: readonly StoredBlock[] }[]).map(({ blocks }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column has no identity but its position
            <div key={index}>{render(blocks)}</div>
          ))}
        </div>
      )
    },
  })
}

const sampleHtml = {
  nl: '<h3>Kop</h3><p>Schrijf hier uw tekst.</p>',
  fa: '<h3>سرتیتر</h3><p>متن خود را اینجا بنویسید.</p>',
  en: '<h3>Heading</h3><p>Write your text here.</p>',
}
const textColumn = (content: string) => ({ blocks: [{ type: 'content', selector: 'div', className: '', content }] })
