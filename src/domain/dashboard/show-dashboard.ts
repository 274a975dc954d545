import { canManageBackups } from '../../contract/backups.ts'
import type { Dashboard } from '../../contract/dashboard.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { hasRight, type Right } from '../../contract/rights.ts'
import type { Context } from '../../platform/context.ts'
import { countEmails } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { listChanges } from '../audit/list-changes.ts'
import { findBackupState } from '../backup/backups.ts'
import { listWaitingDrafts } from '../drafts/drafts.ts'
import { countNewMessages } from '../messages/find-messages.ts'
import { findTitles } from '../pages/list-pages.ts'
import { listReviews } from '../pages/review-page.ts'
import { findLastVisit } from '../sign-in/user.queries.ts'
import { countNewUsers } from '../users/find-users.ts'
import { canSeeUsers } from '../users/user.policy.ts'
import { findStartList } from './start-list.ts'

const changesShown = 5

/** The actor's rights, and the news that the actor may see. */
export async function getDashboard(ctx: Context, locale: Locale): Promise<Dashboard> {
  const actor = allow(ctx, [])
  const { id, name, rights } = actor
  const visit = await findLastVisit(ctx.db, id)
  if (!visit) throw new Refusal('signed_out')
  const since = visit.at
  const ifAllowed = async <T>(required: Right[], load: () => Promise<T>): Promise<T | null> =>
    hasRight(ctx.actor, required) ? load() : null

  return {
    name,
    rights: [...rights],
    since: since.toISOString(),
    firstVisit: visit.first,
    start: await findStartList(ctx),
    news: {
      messages: await ifAllowed(['messages.read', 'messages.write'], async () => ({
        new: await countNewMessages(ctx, since),
      })),
      users: await ifAllowed(['users.read', 'users.write'], async () => ({ new: await countNewUsers(ctx, since) })),
      mail: await ifAllowed(['mail.read'], async () => {
        const { waiting, failed } = await countEmails(ctx.db)
        return { waiting, failed }
      }),
      drafts: await ifAllowed(['pages.write'], () => listWaitingDrafts(ctx)),
      reviews: await ifAllowed(['pages.write', 'pages.publish'], () => listReviews(ctx)),
      backup: canManageBackups(actor) ? { state: (await findBackupState(ctx)).state } : null,
      changes: await ifAllowed(['audit.read'], async () => {
        const newest = { page: 1, pageSize: changesShown, sort: '-at' } as const
        return (await listChanges(ctx, newest, { locale, titlesOf: findTitles, seesUsers: canSeeUsers })).data
      }),
    },
  }
}
