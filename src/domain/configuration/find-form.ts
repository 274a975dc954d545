import type { Form } from '../../contract/form-fields.ts'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { listConfigsBeforeChangesOf } from './configuration.queries.ts'

/** Changes of the last day that are searched. */
const changes = 20

/** A form, also one that was deleted while it may still be filled in: its answers must arrive. */
export const findForm = async (ctx: Pick<Context, 'db' | 'now' | 'site'>, id: string): Promise<Form | undefined> =>
  ctx.site.forms?.find((form) => form.id === id) ?? (await listFormerForms(ctx, id))[0]

/** A form as it was while it may still be filled in, newest first. */
export async function listFormerForms({ db, now }: Pick<Context, 'db' | 'now'>, id: string): Promise<Form[]> {
  const since = new Date(now().getTime() - limits.formOpenMs)
  const configs = await listConfigsBeforeChangesOf(db, 'forms', since, changes)
  return configs.flatMap((config) => {
    const { forms = [] }: { forms?: Form[] } = JSON.parse(config)
    return forms.filter((form) => form.id === id)
  })
}
