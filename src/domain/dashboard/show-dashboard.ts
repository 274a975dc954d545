import { canManageBackups } from '../../contract/backups.ts'
import { type Dashboard, type StartStep, startSteps } from '../../contract/dashboard.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { hasRight, type Right } from '../../contract/rights.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { upgradeConfiguration } from '../../platform/config/site-file.ts'
import type { Context } from '../../platform/context.ts'
import { countEmails } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { listChanges } from '../audit/list-changes.ts'
import { findBackupState } from '../backup/backups.ts'
import { findFirstConfigRevision } from '../configuration/configuration.queries.ts'
import { listWaitingDrafts } from '../drafts/drafts.ts'
import { getAlarmSetting, listAlarmRecipients } from '../health/alarm.queries.ts'
import { countNewMessages } from '../messages/list-messages.ts'
import { findTitles } from '../pages/list-pages.ts'
import { hasOwnPage } from '../pages/page.queries.ts'
import { listReviews } from '../pages/review-page.ts'
import { findProfile } from '../profile/profile.queries.ts'
import { findPreviousVisit } from '../sign-in/user.queries.ts'
import { countNewUsers } from '../users/list-users.ts'
import { canSeeUsers } from '../users/user.policy.ts'
import { isStartListHidden, updateStartListHidden } from './dashboard.queries.ts'

const changesShown = 5

/** The actor's rights, and the news that the actor may see. */
export async function getDashboard(ctx: Context, locale: Locale): Promise<Dashboard> {
  const actor = allow(ctx, [])
  const { id, name, rights } = actor
  const visit = await findPreviousVisit(ctx.db, id)
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
      changes: await ifAllowed(['audit.read'], async () => {
        const newest = { page: 1, pageSize: changesShown, sort: '-at' } as const
        return (await listChanges(ctx, newest, { locale, titlesOf: findTitles, seesUsers: canSeeUsers })).data
      }),
    },
  }
}

const rightsFor: Record<Exclude<StartStep, 'backups'>, readonly Right[]> = {
  name: ['config.write'],
  logo: ['config.write'],
  colours: ['config.write'],
  company: ['config.write'],
  recipients: ['config.write'],
  mail: ['mail.read'],
  page: ['pages.write'],
  alarms: ['config.write'],
  twoFactor: [],
}

/** The steps of the start list that the actor has the rights for; null when it is hidden or completed. */
async function findStartList(ctx: Context): Promise<Dashboard['start']> {
  const actor = allow(ctx, [])
  if (actor.rights.length === 0 || (await isStartListHidden(ctx.db, actor.id))) return null
  const steps = startSteps.filter((step) =>
    step === 'backups' ? canManageBackups(actor) : hasRight(actor, rightsFor[step]),
  )
  let loading: ReturnType<typeof findInitialConfiguration> | undefined
  const isChanged = async (partOf: (site: Partial<SiteConfig>) => unknown) => {
    loading ??= findInitialConfiguration(ctx)
    const initial = await loading
    return initial !== undefined && !deepEqual(partOf(initial), partOf(ctx.site))
  }
  const isDone: Record<StartStep, () => boolean | Promise<boolean>> = {
    name: () => isChanged(({ brand }) => brand),
    logo: () => isChanged(({ logo }) => logo),
    colours: () => isChanged(({ palette }) => palette),
    company: () => isChanged(({ legal }) => legal),
    recipients: () => isChanged(({ contact }) => contact?.recipients),
    mail: async () => ctx.mail.sends && (await countEmails(ctx.db)).sent > 0,
    page: () => hasOwnPage(ctx.db),
    backups: async () => (await findBackupState(ctx)).state !== 'off',
    alarms: () => hasChosenRecipients(ctx),
    twoFactor: async () => (await findProfile(ctx.db, actor.id))?.twoFactor ?? false,
  }
  const list = await Promise.all(steps.map(async (step) => ({ step, done: await isDone[step]() })))
  if (!list.every(({ done }) => done)) return list
  // Sent emails are purged, after which this step would no longer be done.
  if (steps.includes('mail')) {
    await ctx
      .transaction((tx) => updateStartListHidden(tx, actor.id, true))
      .catch((error) => ctx.log.warn({ err: error }, 'a completed start list was not hidden'))
  }
  return null
}

/** Whether the recipients of alerts were chosen, and at least one of them can still get them. */
async function hasChosenRecipients({ db }: Context): Promise<boolean> {
  const { people, webhook } = await getAlarmSetting(db)
  return people !== 'all' && (webhook !== null || (await listAlarmRecipients(db, people)).length > 0)
}

/** The configuration that the site began with; undefined while nobody has changed it. */
async function findInitialConfiguration(ctx: Context): Promise<Partial<SiteConfig> | undefined> {
  const first = await findFirstConfigRevision(ctx.db)
  if (!first) return undefined
  // A site that began by an import has none of the configuration that comes with the program.
  return first.kind === 'file' ? upgradeConfiguration(first.config, `revision ${first.id}`) : {}
}

/** Hides the actor's start list, or shows it again. */
export async function setStartListHidden(ctx: Context, { hidden }: { hidden: boolean }): Promise<void> {
  const actor = allow(ctx, [])
  await ctx.transaction((tx) => updateStartListHidden(tx, actor.id, hidden))
}
