import { deepEqual } from '../../contract/deep-equal.ts'
import type { Form } from '../../contract/form-fields.ts'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { readConfigsBeforeChangesOf } from './configuration.queries.ts'

/** The maximum number of former versions of a form, of which the newest are taken. */
const maxVersions = 20

/** A form, or the last version of one that was deleted recently: a visitor who has it open can still send it. */
export const findForm = async (ctx: Pick<Context, 'db' | 'now' | 'site'>, id: string): Promise<Form | undefined> =>
  ctx.site.forms?.find((form) => form.id === id) ?? (await listFormerForms(ctx, id, 1))[0]

/**
 * The versions that a form had before the changes of any form in the last day (`limits.formOpenMs`), in which a visitor may
 * still have it open: newest first, each once. One may equal the current form.
 */
export async function listFormerForms(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: string,
  limit = maxVersions,
): Promise<Form[]> {
  const since = new Date(now().getTime() - limits.formOpenMs)
  const versions: Form[] = []
  for await (const config of readConfigsBeforeChangesOf(db, 'forms', since)) {
    // Spares the parsing of a configuration without the form.
    if (!config.includes(JSON.stringify(id))) continue
    const { forms = [] }: { forms?: Form[] } = JSON.parse(config)
    const version = forms.find((form) => form.id === id)
    if (version && !versions.some((newer) => deepEqual(newer, version))) versions.push(version)
    if (versions.length === limit) break
  }
  return versions
}
