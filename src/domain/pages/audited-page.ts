import { withoutIds } from '../../blocks/block-ids.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { RevisionRow } from './revision.queries.ts'

/**
 * The audit entry of a save: the page's own fields, whether the body changed, which fields of an entry did, and the
 * revision that holds the text.
 * @param before the text saved before, if any
 */
export function auditedChange(
  locale: Locale,
  before: RevisionRow | undefined,
  after: RevisionRow,
): { before: object | undefined; after: object } {
  const bodyChanged = !deepEqual(withoutIds(before?.text.body ?? []), withoutIds(after.text.body))
  const [was, is] = [before?.text.fields ?? {}, after.text.fields ?? {}]
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((id) => !deepEqual(was[id], is[id]))
  return {
    before: before && fieldsOf(before.text),
    after: {
      ...fieldsOf(after.text),
      ...(bodyChanged && { body: 'changed' }),
      ...(changed.length > 0 && { fields: changed }),
      language: locale,
      revision: after.id,
    },
  }
}

const fieldsOf = ({ slug, body: _, fields: __, ...fields }: PageText) => ({ ...fields, slug: `/${slug}` })
