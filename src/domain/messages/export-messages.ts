import type { Locale } from '../../contract/locales.ts'
import type { MessageExportQuery } from '../../contract/messages.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { csvLine, csvMark } from '../../platform/csv.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { messagesInOrder, whichMessages } from './find-messages.ts'
import { canSeeMessages } from './message.policy.ts'
import type { StoredMessage } from './message.queries.ts'
import { findAllMessageIds } from './message-list.queries.ts'

const batch = 500

/**
 * The messages that a list would show, all of them, as a CSV for a spreadsheet; it comes in pieces. The log keeps that a
 * search was used and not for what: it may be a name.
 * @throws {Refusal} `password_needed`
 */
export async function exportMessages(
  ctx: Context,
  query: MessageExportQuery,
  locale: Locale,
): Promise<AsyncGenerator<string, void, undefined>> {
  allow(ctx, canSeeMessages)
  requireConfirmed(ctx)

  const ids = await findAllMessageIds(ctx.db, ctx.dialect, whichMessages(query))
  const { folder, state, search } = query
  await ctx.transaction((tx) =>
    record(tx, ctx, {
      action: 'messages.exported',
      subject: { type: 'messages', name: '' },
      after: { messages: ids.length, folder, ...(state && { state }), ...(search && { searched: true }) },
    }),
  )
  return lines(ctx, ids, locale)
}

async function* lines(ctx: Context, ids: number[], locale: Locale): AsyncGenerator<string, void, undefined> {
  const t = translator(locale)
  yield `${csvMark}${csvLine(columns.map((name) => t(`messages.csv.${name}`)))}`
  for (let at = 0; at < ids.length; at += batch) {
    const found = await messagesInOrder(ctx.db, ids.slice(at, at + batch))
    yield found.map((one) => csvLine(cellsOf(one, locale))).join('')
  }
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
