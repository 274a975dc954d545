import type { Locale } from '../../contract/locales.ts'
import { same } from '../../contract/merge-page.ts'
import type { PageText } from '../../contract/pages.ts'
import { withoutIds } from './block-ids.ts'

/**
 * What the log keeps of a save: the fields, of the body that it was changed, and the revision in which one sees how.
 * @param before what was saved until then, where there was anything
 */
export function auditedChange(
  locale: Locale,
  before: { text: PageText } | undefined,
  after: { revisionId: number; text: PageText },
): { before: object | undefined; after: object } {
  const bodyChanged = !same(withoutIds(before?.text.body ?? []), withoutIds(after.text.body))
  return {
    before: before && fieldsOf(before.text),
    after: {
      ...fieldsOf(after.text),
      ...(bodyChanged && { body: 'changed' }),
      language: locale,
      revision: after.revisionId,
    },
  }
}

const fieldsOf = ({ slug, body: _, ...fields }: PageText) => ({ ...fields, slug: `/${slug}` })
