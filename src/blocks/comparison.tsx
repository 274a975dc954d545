import { z } from 'zod'
import { localizeDigits } from '../contract/locales.ts'
import { defineBlock, type RenderContext, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { renderSection, renderText } from './render-text.tsx'

const column = z.strictObject({ title: shortText, recommended: z.boolean().default(false) })
const row = z.strictObject({ title: shortText, cells: z.array(shortText).max(6) })

export const comparison = defineBlock({
  type: 'comparison',
  group: 'offer',
  fullWidth: true,
  stylesheets: ['section', 'comparison'],
  fields: { ...sectionFields, columns: z.array(column).max(6), rows: z.array(row).max(60) },
  labels: {
    name: { nl: 'Vergelijking', fa: 'مقایسه', en: 'Comparison' },
    hint: {
      nl: 'Een tabel die laat zien wat waarbij hoort.',
      fa: 'جدولی که نشان می‌دهد هر گزینه چه دارد.',
      en: 'A table that shows what comes with what.',
    },
    fields: {
      ...sectionLabels,
      columns: { nl: 'Kolommen', fa: 'ستون‌ها', en: 'Columns' },
      rows: { nl: 'Rijen', fa: 'ردیف‌ها', en: 'Rows' },
    },
    nestedFields: {
      'columns.title': { nl: 'Kop', fa: 'سرستون', en: 'Heading' },
      'columns.recommended': { nl: 'Aanbevolen', fa: 'پیشنهاد ما', en: 'Recommended' },
      'rows.title': { nl: 'Wat u vergelijkt', fa: 'موضوع مقایسه', en: 'What you compare' },
      'rows.cells': {
        nl: 'Per kolom: ja, nee of een tekst',
        fa: 'برای هر ستون: بله، خیر یا متن',
        en: 'Per column: yes, no or a text',
      },
    },
  },
  defaults: {
    nl: {
      title: 'Wat past bij u?',
      columns: [{ title: 'Basis' }, { title: 'Compleet', recommended: true }],
      rows: [{ title: 'Wat u vergelijkt', cells: ['nee', 'ja'] }],
    },
    fa: {
      title: 'کدام برای شما بهتر است؟',
      columns: [{ title: 'پایه' }, { title: 'کامل', recommended: true }],
      rows: [{ title: 'موضوع مقایسه', cells: ['خیر', 'بله'] }],
    },
    en: {
      title: 'Which one suits you?',
      columns: [{ title: 'Basic' }, { title: 'Complete', recommended: true }],
      rows: [{ title: 'What you compare', cells: ['no', 'yes'] }],
    },
  },
  sampleTextPaths: ['rows.title'],
  View(block, context) {
    const classOf = (column: { recommended: boolean }) => (column.recommended ? 'best' : undefined)
    const table = (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box is reached by keyboard
      // biome-ignore lint/a11y/useSemanticElements: sections have an edge of their own
      <div className="table" role="region" tabIndex={0} aria-label={renderText(block.title, context) || undefined}>
        <table>
          <thead>
            <tr>
              <td />
              {block.columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
                <th key={index} scope="col" className={classOf(column)}>
                  {column.recommended && <span className="choice">{context.t('site.price.recommended')}</span>}
                  {renderText(column.title, context)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, rowIndex) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
              <tr key={rowIndex}>
                <th scope="row">{renderText(row.title, context)}</th>
                {block.columns.map((column, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
                  <td key={index} className={classOf(column)}>
                    {renderCell(row.cells[index] ?? '', context)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
    return renderSection(block, 'comparison', context, table)
  },
})

/** Texts that mean yes and no in any language, besides the words of the page's language. */
const patterns = { yes: /^(?:ja|yes|بله|✓)$/i, no: /^(?:nee|no|خیر|✗)$/i }

/** Renders yes and no as a sign, which a screen reader reads as a word, and any other text as it is. */
function renderCell(text: string, context: RenderContext) {
  const word = text.trim()
  const means = (value: 'yes' | 'no') =>
    patterns[value].test(word) || word.toLowerCase() === context.t(`site.${value}`).toLowerCase()
  const value = (['yes', 'no'] as const).find(means)
  if (!value) return localizeDigits(context.contentLocale, renderText(text, context))
  return (
    <span className={value}>
      <span className="visually-hidden">{context.t(`site.${value}`)}</span>
    </span>
  )
}
