import { Alert } from '@mantine/core'
import { createContext, useContext } from 'react'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useText } from '../../i18n.ts'
import { FieldsOfBlock } from './block-field.tsx'
import { isKnown } from './block-names.ts'
import styles from './blocks.module.css'
import { noProblems, type Problems } from './problems.ts'

/** Whether there is such a form around this one. */
const InForm = createContext(false)

/**
 * All fields of a block, as its schema has them.
 * @param props.locale of the content, not of who writes it
 * @param props.problems by their path in the block: `items.0.title`
 */
export function BlockForm(props: {
  block: StoredBlock
  onChange: (block: StoredBlock) => void
  problems?: Problems
  locale: Locale
}) {
  const { block, onChange, problems = noProblems, locale } = props
  const t = useText()
  const inside = useContext(InForm)
  if (!isKnown(block.type)) return <Alert color="red">{t('blocks.unknown', { type: block.type })}</Alert>
  const unplaced = problems.type ?? problems['']
  return (
    <div className={styles.form} data-block-form="">
      {unplaced && <Alert color="red">{unplaced}</Alert>}
      <InForm value={true}>
        <FieldsOfBlock
          type={block.type}
          fields={fieldsOf(block.type)}
          values={block as unknown as Record<string, unknown>}
          onChange={(values) => onChange(values as unknown as StoredBlock)}
          problems={problems}
          locale={locale}
        />
      </InForm>
      {!inside && fieldsOf(block.type).some(takesWords) && <p className={styles.help}>{t('blocks.brackets')}</p>}
    </div>
  )
}

/** Whether something is typed in it that the site fills the brackets of. */
function takesWords(field: Field): boolean {
  if (field.kind === 'object' || field.kind === 'objects') return field.fields.some(takesWords)
  return ['line', 'paragraphs', 'richText', 'texts', 'blocks'].includes(field.kind)
}
