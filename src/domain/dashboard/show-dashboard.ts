import type { Dashboard } from '../../contract/dashboard.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { hasRight, type Right } from '../../contract/rights.ts'
import type { Context } from '../../platform/context.ts'
import { countLetters } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { listChanges } from '../audit/list-changes.ts'
import { countNewMessages } from '../messages/count-new-messages.ts'
import { countWaitingDrafts } from '../pages/count-waiting-drafts.ts'
import { findTitles } from '../pages/find-titles.ts'
import { lastVisit } from '../sign-in/last-visit.ts'
import { countNewUsers } from '../users/count-new-users.ts'

const changesShown = 5

/** What the one who asks may do, and what is new of what they may see. */
export async function showDashboard(ctx: Context, locale: Locale): Promise<Dashboard> {
  const { id, name, rights } = allow(ctx, [])
  const since = await lastVisit(ctx, id)
  if (!since) throw new Refusal('signed_out')
  const seen = async <T>(wanted: Right[], look: () => Promise<T>): Promise<T | null> =>
    hasRight(ctx.actor, wanted) ? look() : null

  return {
    name,
    rights: [...rights],
    since: since.toISOString(),
    news: {
      messages: await seen(['messages.read', 'messages.write'], async () => ({
        new: await countNewMessages(ctx, since),
      })),
      users: await seen(['users.read', 'users.write'], async () => ({ new: await countNewUsers(ctx, since) })),
      mail: await seen(['mail.read'], async () => {
        const { waiting, failed } = await countLetters(ctx.db)
        return { waiting, failed }
      }),
      drafts: await seen(['pages.write'], () => countWaitingDrafts(ctx)),
      changes: await seen(['audit.read'], async () => {
        const newest = { page: 1, pageSize: changesShown, sort: '-at' } as const
        return (await listChanges(ctx, newest, { locale, titlesOf: findTitles })).data
      }),
    },
  }
}
