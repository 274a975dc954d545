import { type Dashboard, type StartStep, startSteps } from '../../contract/dashboard.ts'
import { hasRight, type Right } from '../../contract/rights.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import { countEmails } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { findFirstConfigRevision } from '../configuration/configuration.queries.ts'
import { existsOwnPage } from '../pages/page.queries.ts'
import { findProfile } from '../profile/profile.queries.ts'
import { isStartListHidden, updateStartListHidden } from './dashboard.queries.ts'

const rightsFor: Record<StartStep, readonly Right[]> = {
  name: ['config.write'],
  logo: ['config.write'],
  colours: ['config.write'],
  mail: ['mail.read'],
  page: ['pages.write'],
  twoFactor: [],
}

/** The first steps that the actor has the rights for, each done when the database says so. */
export async function findStartList(ctx: Context): Promise<Dashboard['start']> {
  const actor = allow(ctx, [])
  if (actor.rights.length === 0 || (await isStartListHidden(ctx.db, actor.id))) return null
  const steps = startSteps.filter((step) => hasRight(actor, rightsFor[step]))
  const delivered = steps.includes('name') ? await findDeliveredConfiguration(ctx) : undefined
  const isChanged = (part: 'brand' | 'logo' | 'palette') =>
    delivered !== undefined && JSON.stringify(delivered[part]) !== JSON.stringify(ctx.site[part])
  const isDone: Record<StartStep, () => boolean | Promise<boolean>> = {
    name: () => isChanged('brand'),
    logo: () => isChanged('logo'),
    colours: () => isChanged('palette'),
    mail: async () => ctx.mail.sends && (await countEmails(ctx.db)).sent > 0,
    page: () => existsOwnPage(ctx.db),
    twoFactor: async () => (await findProfile(ctx.db, actor.id))?.twoFactor ?? false,
  }
  const list = await Promise.all(steps.map(async (step) => ({ step, done: await isDone[step]() })))
  return list.every(({ done }) => done) ? null : list
}

/** The configuration that the site began with; undefined while nobody has changed it. */
async function findDeliveredConfiguration(ctx: Context): Promise<Partial<SiteConfig> | undefined> {
  const first = await findFirstConfigRevision(ctx.db)
  if (!first) return undefined
  // A site that began by an import has nothing of the delivered configuration.
  return first.kind === 'file' ? JSON.parse(first.config) : {}
}

/** Puts the actor's list of first steps away, or shows it again. */
export async function hideStartList(ctx: Context, { hidden }: { hidden: boolean }): Promise<void> {
  const actor = allow(ctx, [])
  await ctx.transaction((tx) => updateStartListHidden(tx, actor.id, hidden))
}
