import type { Form } from '../../contract/form-fields.ts'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { listConfigsBeforeChangesOf } from './configuration.queries.ts'

/** Deletions in a day that are looked through. */
const changes = 20

/** A form, also one that was deleted while it may still be filled in: its answers must arrive. */
export async function findForm(ctx: Pick<Context, 'db' | 'now' | 'site'>, id: string): Promise<Form | undefined> {
  const found = ctx.site.forms?.find((form) => form.id === id)
  if (found) return found
  const since = new Date(ctx.now().getTime() - limits.formOpenMs)
  for (const config of await listConfigsBeforeChangesOf(ctx.db, 'forms', since, changes)) {
    const { forms = [] }: { forms?: Form[] } = JSON.parse(config)
    const former = forms.find((form) => form.id === id)
    if (former) return former
  }
  return undefined
}
