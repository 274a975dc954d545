import { withoutIds } from '../../blocks/block-ids.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { RevisionRow } from './revision.queries.ts'

/**
 * What the audit log records of a save: the single fields such as the title, whether the body changed, which fields of
 * an entry changed, and the id of the revision, which has the text.
 * @param before the previous revision, if there is one
 */
export function auditedChange(
  locale: Locale,
  before: RevisionRow | undefined,
  after: RevisionRow,
): { before: object | undefined; after: object } {
  const bodyChanged = !deepEqual(withoutIds(before?.text.body ?? []), withoutIds(after.text.body))
  const [oldFields, newFields] = [before?.text.fields ?? {}, after.text.fields ?? {}]
  const fieldIds = [...new Set([...Object.keys(oldFields), ...Object.keys(newFields)])]
  const changed = fieldIds.filter((id) => !deepEqual(oldFields[id], newFields[id]))
  return {
    before: before && singleFieldsOf(before.text),
    after: {
      ...singleFieldsOf(after.text),
      ...(bodyChanged && { body: 'changed' }),
      ...(changed.length > 0 && { fields: changed }),
      language: locale,
      revision: after.id,
    },
  }
}

const singleFieldsOf = ({ slug, body: _, fields: __, ...fields }: PageText) => ({ ...fields, slug: `/${slug}` })
