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
 * Exports all messages that match the filters, as a streamed CSV. For one form it has a column for each field. The
 * audit log records that a search was used but not its text, which may be a name.
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
  const hasFieldColumns = form !== undefined && form !== contactFormId
  const labels = hasFieldColumns ? await fieldLabelsOf(ctx, form, ids, locale) : new Map<string, string>()
  const columns: readonly Column[] = hasFieldColumns
    ? [...idColumns, ...statusColumns]
    : [...idColumns, ...contactColumns, ...statusColumns, 'form']
  const headings = columns.map((name) => t(`messages.csv.${name}`)).toSpliced(idColumns.length, 0, ...labels.values())
  return csvFile(headings, ids, async (batchIds) =>
    (await listMessagesInOrder(ctx.db, batchIds)).map((message) => {
      const cells = cellsOf(message, locale)
      const answers = new Map(message.form.answers.map(({ field, text }) => [field, text]))
      const answerCells = [...labels.keys()].map((field) => answers.get(field) ?? '')
      return columns.map((name) => cells[name]).toSpliced(idColumns.length, 0, ...answerCells)
    }),
  )
}

/** The answers to the fields of a form follow these columns. */
const idColumns = ['id', 'createdAt'] as const
const contactColumns = ['naam', 'email', 'tel', 'bericht'] as const
const statusColumns = ['folder', 'answeredAt', 'note'] as const
type Column = (typeof idColumns)[number] | (typeof contactColumns)[number] | (typeof statusColumns)[number] | 'form'

const batchSize = 500

/** Labels by field id: the fields of the configured form, then those that only its stored messages still have. */
async function fieldLabelsOf(
  { db, site }: Context,
  formId: string,
  ids: readonly number[],
  locale: Locale,
): Promise<Map<string, string>> {
  const fields = site.forms?.find(({ id }) => id === formId)?.fields ?? []
  const labels = new Map(
    fields.filter(({ kind }) => kind !== 'step').map(({ id, label }) => [id, localized(label, locale).value]),
  )
  for (let start = 0; start < ids.length; start += batchSize) {
    for (const { form } of await listMessagesInOrder(db, ids.slice(start, start + batchSize))) {
      for (const { field, label } of form.answers) if (!labels.has(field)) labels.set(field, label)
    }
  }
  return labels
}

function cellsOf(message: StoredMessage, locale: Locale): Record<Column, string> {
  const { naam, email, tel, bericht } = message.message
  const t = translator(locale)
  return {
    id: String(message.reference),
    createdAt: message.createdAt.toISOString(),
    naam,
    email,
    tel,
    bericht,
    folder: t(`messages.csv.${message.folder}`),
    answeredAt: message.answeredAt ?? '',
    note: message.note,
    form: message.form.name || t('messages.csv.contact'),
  }
}
