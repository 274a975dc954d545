import { canManageBackups } from '../../contract/backups.ts'
import { type Dashboard, type OnboardingStep, onboardingSteps } from '../../contract/dashboard.ts'
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
import { findBackupStatus } from '../backup/backups.ts'
import { findFirstConfigRevision } from '../configuration/configuration.queries.ts'
import { listWaitingDrafts } from '../drafts/drafts.ts'
import { getAlarmSetting, listAlarmRecipients } from '../health/alarm.queries.ts'
import { countNewMessages } from '../messages/list-messages.ts'
import { findPageTitles } from '../pages/list-pages.ts'
import { hasUserEditedPage } from '../pages/page.queries.ts'
import { listReviews } from '../pages/review-page.ts'
import { findProfile } from '../profile/profile.queries.ts'
import { findPreviousVisit } from '../sign-in/user.queries.ts'
import { countNewUsers } from '../users/list-users.ts'
import { canSeeUsers } from '../users/user.policy.ts'
import { isChecklistHidden, updateChecklistHidden } from './dashboard.queries.ts'

const changesShown = 5

/**
 * The first screen of the admin: the actor's rights, the onboarding checklist, and the news since the previous visit. News that
 * the actor may not see is null.
 * @throws {Refusal} `signed_out`
 */
export async function getDashboard(ctx: Context, locale: Locale): Promise<Dashboard> {
  const actor = allow(ctx, [])
  const { id, name, rights } = actor
  const visit = await findPreviousVisit(ctx.db, id)
  if (!visit) throw new Refusal('signed_out')
  const since = visit.at
  const ifAnyRight = async <T>(rights: Right[], load: () => Promise<T>): Promise<T | null> =>
    hasRight(actor, rights) ? load() : null

  return {
    name,
    rights: [...rights],
    since: since.toISOString(),
    firstVisit: visit.isFirst,
    start: await loadChecklist(ctx),
    news: {
      messages: await ifAnyRight(['messages.read', 'messages.write'], async () => ({
        new: await countNewMessages(ctx, since),
      })),
      users: await ifAnyRight(['users.read', 'users.write'], async () => ({ new: await countNewUsers(ctx, since) })),
      mail: await ifAnyRight(['mail.read'], async () => {
        const { waiting, failed } = await countEmails(ctx.db)
        return { waiting, failed }
      }),
      drafts: await ifAnyRight(['pages.write'], () => listWaitingDrafts(ctx)),
      reviews: await ifAnyRight(['pages.write', 'pages.publish'], () => listReviews(ctx)),
      changes: await ifAnyRight(['audit.read'], async () => {
        const newest = { page: 1, pageSize: changesShown, sort: '-at' } as const
        return (await listChanges(ctx, newest, { locale, titlesOf: findPageTitles, seesUsers: canSeeUsers })).data
      }),
    },
  }
}

/** One of these rights shows the step; without any, everybody sees it. */
const rightsFor: Record<Exclude<OnboardingStep, 'backups'>, readonly Right[]> = {
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

/**
 * The steps of the onboarding checklist that the actor has the rights for; null for an actor without rights, and when
 * it is hidden or completed. Hides a completed list for good if it has the step `mail`.
 */
async function loadChecklist(ctx: Context): Promise<Dashboard['start']> {
  const actor = allow(ctx, [])
  if (actor.rights.length === 0 || (await isChecklistHidden(ctx.db, actor.id))) return null
  const steps = onboardingSteps.filter((step) =>
    step === 'backups' ? canManageBackups(actor) : hasRight(actor, rightsFor[step]),
  )
  let initialConfiguration: ReturnType<typeof findInitialConfiguration> | undefined
  const isChanged = async (partOf: (site: Partial<SiteConfig>) => unknown) => {
    initialConfiguration ??= findInitialConfiguration(ctx)
    const initial = await initialConfiguration
    return initial !== undefined && !deepEqual(partOf(initial), partOf(ctx.site))
  }
  const checks: Record<OnboardingStep, () => boolean | Promise<boolean>> = {
    name: () => isChanged(({ brand }) => brand),
    logo: () => isChanged(({ logo }) => logo),
    colours: () => isChanged(({ palette }) => palette),
    company: () => isChanged(({ legal }) => legal),
    recipients: () => isChanged(({ contact }) => contact?.recipients),
    mail: async () => ctx.mail.sends && (await countEmails(ctx.db)).sent > 0,
    page: () => hasUserEditedPage(ctx.db),
    backups: async () => (await findBackupStatus(ctx)).state !== 'off',
    alarms: () => hasChosenRecipients(ctx),
    twoFactor: async () => (await findProfile(ctx.db, actor.id))?.twoFactor ?? false,
  }
  const checklist = await Promise.all(steps.map(async (step) => ({ step, done: await checks[step]() })))
  if (!checklist.every(({ done }) => done)) return checklist
  // Old sent emails are deleted, after which this step would no longer be done.
  if (steps.includes('mail')) {
    await ctx
      .transaction((tx) => updateChecklistHidden(tx, actor.id, true))
      .catch((error) => ctx.log.warn({ err: error }, 'a completed start list was not hidden'))
  }
  return null
}

/** Whether somebody has chosen who gets alerts, and a webhook or at least one of these users still does. */
async function hasChosenRecipients({ db }: Context): Promise<boolean> {
  const { people, webhook } = await getAlarmSetting(db)
  return people !== 'all' && (webhook !== null || (await listAlarmRecipients(db, people)).length > 0)
}

/** The configuration before its first change; undefined while nobody has changed it. */
async function findInitialConfiguration(ctx: Context): Promise<Partial<SiteConfig> | undefined> {
  const first = await findFirstConfigRevision(ctx.db)
  if (!first) return undefined
  // The first one of a site that was imported is its own: all of it counts as changed.
  return first.kind === 'file' ? upgradeConfiguration(first.config, `revision ${first.id}`) : {}
}

/** Hides the actor's onboarding checklist, or shows it again. */
export async function setChecklistHidden(ctx: Context, { hidden }: { hidden: boolean }): Promise<void> {
  const actor = allow(ctx, [])
  await ctx.transaction((tx) => updateChecklistHidden(tx, actor.id, hidden))
}
