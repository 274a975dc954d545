import { contactFormId } from '../../contract/form-fields.ts'
import { type Locale, localized } from '../../contract/locales.ts'
import type { MessageExportQuery } from '../../contract/messages.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { csvFile } from '../../platform/csv.ts'
import { listAllIds } from '../../platform/db/long-list.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { listMessagesInOrder, toMessageFilter } from './list-messages.ts'
import { canSeeMessages } from './message.policy.ts'
import type { StoredMessage } from './message.queries.ts'
import { messageList } from './message-list.queries.ts'

/**
 * All messages that match the list's filters, as a streamed CSV. The audit log records that a search was used but not
 * its text, which may be a name.
 * @throws {Refusal} `password_needed`
 */
export async function exportMessages(
  ctx: Context,
  query: MessageExportQuery,
  locale: Locale,
): Promise<AsyncGenerator<string, void, undefined>> {
  allow(ctx, canSeeMessages)
  requireConfirmed(ctx)

  const ids = await listAllIds(ctx.db, ctx.dialect, messageList(await toMessageFilter(ctx.db, query)))
  const { folder, state, search, form } = query
  await ctx.transaction((tx) =>
    record(tx, ctx, {
      action: 'messages.exported',
      subject: { type: 'messages', name: '' },
      after: {
        messages: ids.length,
        folder,
        ...(state && { state }),
        ...(form && { form }),
        ...(search && { searched: true }),
      },
    }),
  )
  const t = translator(locale)
  const questions = form === undefined || form === contactFormId ? undefined : await questionsOf(ctx, form, ids, locale)
  const columns = questions ? ([...about, ...outcome] as const) : ([...about, ...contact, ...outcome, 'form'] as const)
  const answersIndex = questions ? about.length : columns.length
  const headings = columns
    .map((name) => t(`messages.csv.${name}`))
    .toSpliced(answersIndex, 0, ...(questions?.values() ?? []))
  return csvFile(headings, ids, async (some) =>
    (await listMessagesInOrder(ctx.db, some)).map((one) => {
      const cells = cellsOf(one, locale)
      const answers = new Map(one.form.answers.map(({ field, text }) => [field, text]))
      return columns
        .map((name) => cells[name])
        .toSpliced(answersIndex, 0, ...[...(questions?.keys() ?? [])].map((id) => answers.get(id) ?? ''))
    }),
  )
}

const about = ['id', 'createdAt'] as const
const contact = ['naam', 'email', 'tel', 'bericht'] as const
const outcome = ['folder', 'answeredAt', 'note'] as const
type Column = (typeof about)[number] | (typeof contact)[number] | (typeof outcome)[number] | 'form'

const batch = 500

/** Field labels by id: of the current form, then of fields that only its stored messages still have. */
async function questionsOf(
  { db, site }: Context,
  formId: string,
  ids: readonly number[],
  locale: Locale,
): Promise<Map<string, string>> {
  const fields = site.forms?.find(({ id }) => id === formId)?.fields ?? []
  const labels = new Map(
    fields.filter(({ kind }) => kind !== 'step').map(({ id, label }) => [id, localized(label, locale).value]),
  )
  for (let at = 0; at < ids.length; at += batch) {
    for (const { form } of await listMessagesInOrder(db, ids.slice(at, at + batch))) {
      for (const { field, label } of form.answers) if (!labels.has(field)) labels.set(field, label)
    }
  }
  return labels
}

function cellsOf(found: StoredMessage, locale: Locale): Record<Column, string> {
  const { naam, email, tel, bericht } = found.message
  const t = translator(locale)
  return {
    id: String(found.reference),
    createdAt: found.createdAt.toISOString(),
    naam,
    email,
    tel,
    bericht,
    folder: t(`messages.csv.${found.folder}`),
    answeredAt: found.answeredAt ?? '',
    note: found.note,
    form: found.form.name || t('messages.csv.contact'),
  }
}
