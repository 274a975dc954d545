import type { ListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import {
  type LetterTemplate,
  letterTemplates,
  type OutboxCounts,
  type OutboxLetter,
  type OutboxQuery,
} from '../../contract/outbox.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { searchParts } from '../../platform/db/text-search.ts'
import { countLetters } from '../../platform/mail/outbox.ts'
import { canRetry, listLetters, type ShownLetter } from '../../platform/mail/outbox-letters.ts'
import { allow } from '../allow.ts'

/** One page of letters. Search looks at who gets them. */
export async function showOutbox(ctx: Context, query: OutboxQuery, locale: Locale): Promise<ListOf<OutboxLetter>> {
  allow(ctx, ['mail.read'])
  const { page, pageSize, sort = '-createdAt', search, state } = query
  const { letters, total, more } = await listLetters(
    ctx.db,
    ctx.dialect,
    { parts: searchParts(search), state, descending: sort === '-createdAt' },
    { offset: (page - 1) * pageSize, limit: pageSize },
  )
  const now = ctx.now()
  return {
    data: letters.map((letter) => shownLetter(letter, now, locale)),
    meta: { page, pageSize, total, ...(more && { more: true as const }) },
  }
}

/** How many letters there are in each state; sent ones are kept for thirty days. */
export async function countOutbox(ctx: Context): Promise<OutboxCounts> {
  allow(ctx, ['mail.read'])
  const { waiting, failed, sent } = await countLetters(ctx.db)
  return { waiting, failed, sent }
}

function shownLetter(letter: ShownLetter, now: Date, locale: Locale): OutboxLetter {
  const { id, template, recipient, state, attempts } = letter
  return {
    id,
    template,
    label: labelOf(template, locale),
    recipient,
    about: aboutOf(letter.about),
    state,
    attempts,
    reason: letter.lastError,
    createdAt: letter.createdAt.toISOString(),
    nextAttemptAt: state === 'waiting' ? letter.nextAttemptAt.toISOString() : null,
    sentAt: letter.sentAt?.toISOString() ?? null,
    can: { retry: canRetry(letter, now) },
  }
}

/** A letter of a version that is gone is called what the outbox calls it. */
function labelOf(template: string, locale: Locale): string {
  const known = Object.hasOwn(letterTemplates, template) ? (template as LetterTemplate) : undefined
  return known ? translator(locale)(`outbox.templates.${known}`) : template
}

/** `message:12` is the message with number 12. */
function aboutOf(about: string | null): OutboxLetter['about'] {
  const [, type, id] = about?.match(/^(\w+):(\d+)$/) ?? []
  return type && id ? { type, id: Number(id) } : null
}
