import type { Locale } from '../../contract/locales.ts'
import type { MessageExportQuery } from '../../contract/messages.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { csvFile } from '../../platform/csv.ts'
import { findAllIds } from '../../platform/db/long-list.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findMessagesInOrder, toMessageFilter } from './find-messages.ts'
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

  const ids = await findAllIds(ctx.db, ctx.dialect, messageList(toMessageFilter(query)))
  const { folder, state, search } = query
  await ctx.transaction((tx) =>
    record(tx, ctx, {
      action: 'messages.exported',
      subject: { type: 'messages', name: '' },
      after: { messages: ids.length, folder, ...(state && { state }), ...(search && { searched: true }) },
    }),
  )
  const t = translator(locale)
  const headings = columns.map((name) => t(`messages.csv.${name}`))
  return csvFile(headings, ids, async (some) =>
    (await findMessagesInOrder(ctx.db, some)).map((one) => cellsOf(one, locale)),
  )
}

const columns = ['id', 'createdAt', 'naam', 'email', 'tel', 'bericht', 'folder', 'answeredAt', 'note'] as const

function cellsOf(found: StoredMessage, locale: Locale): string[] {
  const { naam, email, tel, bericht } = found.message
  const folder = translator(locale)(`messages.csv.${found.folder}`)
  const cells: Record<(typeof columns)[number], string> = {
    id: String(found.id),
    createdAt: found.createdAt.toISOString(),
    naam,
    email,
    tel,
    bericht,
    folder,
    answeredAt: found.answeredAt ?? '',
    note: found.note,
  }
  return columns.map((name) => cells[name])
}
