import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { DeadLinks, ExternalLinks, LinkHolder, LinksToPage } from '../../contract/links.ts'
import { type Locale, localizedPath, mainLocaleOf, type SiteLanguages, splitLocale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import type { checkUrl } from '../../platform/net/check-url.ts'
import { allow } from '../allow.ts'
import { resolveRedirect } from '../pages/find-live-page.ts'
import { canSeePages } from '../pages/page.policy.ts'
import { findPageRow, type PageRow, textsOf } from '../pages/page.queries.ts'
import { listRedirectsTo, listShownSlugs } from './link.queries.ts'
import { scanLinks } from './scan-links.ts'

/**
 * The texts that link to a page by its address, also through a redirect; the texts of the page itself are left out.
 * @param query.locale only links to the page in this language
 * @throws {Refusal} `not_found`
 */
export async function listLinksToPage(
  ctx: Context,
  id: number,
  { locale }: { locale?: Locale | undefined },
): Promise<LinksToPage> {
  allow(ctx, canSeePages)
  const page = await findPageRow(ctx.db, id)
  if (!page) throw new Refusal('not_found')
  const addresses = addressesOf(page, ctx.site, locale)
  const targets = new Set([...addresses, ...(await listRedirectsTo(ctx.db, addresses))])

  const holders: LinkHolder[] = []
  let [total, otherDrafts] = [0, 0]
  if (targets.size === 0) return { holders, total, otherDrafts }
  for await (const { holder, pageId, internal } of scanLinks(ctx)) {
    if (pageId === id || !internal.some(({ path }) => path !== undefined && targets.has(path))) continue
    if (holder === null) otherDrafts++
    else if (total++ < limits.linkHoldersShown) holders.push(holder)
  }
  return { holders, total, otherDrafts }
}

/**
 * The addresses that lead to a page: the live ones, or the saved ones of a page in the trash. A slug in the main
 * language leads to the page in every language.
 */
function addressesOf(page: PageRow, site: SiteLanguages, only: Locale | undefined): string[] {
  return textsOf(page).flatMap(({ locale, slug, liveSlug }) => {
    const reachableSlug = page.deletedAt === null ? liveSlug : slug
    if (reachableSlug === null || (only !== undefined && only !== locale)) return []
    const languages = locale === mainLocaleOf(site) ? site.locales : [locale]
    return languages.map((language) => localizedPath(`/${reachableSlug}`, language, site))
  })
}

/**
 * The addresses of this site to which texts link and at which there is nothing, the most linked first.
 * @param isServed whether the site serves something other than a page at an encoded path
 */
export async function listDeadLinks(ctx: Context, isServed: (path: string) => Promise<boolean>): Promise<DeadLinks> {
  allow(ctx, canSeePages)
  const { dead, checked } = await collectDeadLinks(ctx, isServed)
  const links = [...dead].map(([address, usage]) => ({ address, ...usage }))
  links.sort((a, b) => b.total - a.total || (a.address < b.address ? -1 : 1))
  return {
    links: links.slice(0, limits.deadLinksShown),
    more: Math.max(links.length - limits.deadLinksShown, 0),
    checked,
  }
}

/**
 * To how many addresses of this site at which there is nothing texts link, without drafts; for background tasks,
 * without an actor.
 */
export async function countDeadLinks(
  ctx: Omit<Context, 'actor'>,
  isServed: (path: string) => Promise<boolean>,
): Promise<number> {
  return (await collectDeadLinks({ ...ctx, actor: undefined }, isServed)).dead.size
}

async function collectDeadLinks(ctx: Context, isServed: (path: string) => Promise<boolean>) {
  const live = new Set(
    (await listShownSlugs(ctx.db, ctx.site)).map(({ locale, slug }) => localizedPath(`/${slug}`, locale, ctx.site)),
  )
  const isDeadByPath = new Map<string, boolean>()
  const dead = new Map<string, LinkUsage>()
  const checkPath = async (path: string) => {
    const isDead = !(await isReachable(ctx, path, { live, isServed }))
    isDeadByPath.set(path, isDead)
    return isDead
  }
  for await (const { holder, internal } of scanLinks(ctx)) {
    if (holder === null) continue
    const addresses = new Set<string>()
    for (const { path, url } of internal) {
      const isDead = path === undefined || (isDeadByPath.get(path) ?? (await checkPath(path)))
      if (isDead) addresses.add(path ?? url)
    }
    for (const address of addresses) countUsage(dead, address, holder)
  }
  return { dead, checked: isDeadByPath.size }
}

/** The texts that link to an address, up to `linkHoldersShown`, and how many there are. */
type LinkUsage = { holders: LinkHolder[]; total: number }

function countUsage(usages: Map<string, LinkUsage>, address: string, holder: LinkHolder): void {
  const usage = usages.get(address) ?? { holders: [], total: 0 }
  if (usage.total++ < limits.linkHoldersShown) usage.holders.push(holder)
  usages.set(address, usage)
}

async function isReachable(
  ctx: Context,
  address: string,
  { live, isServed }: { live: ReadonlySet<string>; isServed: (path: string) => Promise<boolean> },
): Promise<boolean> {
  const { path, locale } = splitLocale(address, ctx.site)
  if (!ctx.site.locales.includes(locale)) return false
  // A page without a translation is shown at its path in the main language.
  if (live.has(address) || live.has(localizedPath(path, mainLocaleOf(ctx.site), ctx.site))) return true
  if (await isServed(encodeURI(address))) return true
  return (await resolveRedirect(ctx, path, locale, isServed)) !== undefined
}

/**
 * Requests a batch of the links to other sites, ordered by address, and returns those that are not alive. `after`: the
 * `next` of the previous batch; empty: from the start. Other sites are requested only for a user, never by a job.
 */
export async function checkExternalLinks(
  ctx: Context,
  { after }: { after: string },
  check: typeof checkUrl,
): Promise<ExternalLinks> {
  allow(ctx, canSeePages)
  // A site may have very many links, so usages are collected only for the lowest addresses after `after`.
  const batch = new Map<string, LinkUsage>()
  const remaining = new Set<string>()
  // The highest address of the batch, once the batch is full.
  let highest: string | undefined
  for await (const { holder, external } of scanLinks(ctx)) {
    if (holder === null) continue
    for (const address of new Set(external)) {
      if (address <= after) continue
      remaining.add(address)
      if (highest !== undefined && address > highest) continue
      countUsage(batch, address, holder)
      if (batch.size <= limits.externalLinksPerCheck) continue
      const sorted = [...batch.keys()].toSorted()
      batch.delete(sorted.at(-1) as string)
      highest = sorted.at(-2)
    }
  }
  const addresses = [...batch.keys()].toSorted()
  const left = remaining.size - addresses.length
  const broken = await findBrokenUrls(addresses, check)
  return {
    links: broken.map((link) => ({ ...link, ...(batch.get(link.address) as LinkUsage) })),
    checked: addresses.length,
    left,
    next: left === 0 ? null : (addresses.at(-1) as string),
  }
}

type BrokenUrl = Omit<ExternalLinks['links'][number], keyof LinkUsage>

/** Requests `externalLinksAtOnce` URLs at a time. @returns those that are not alive, ordered by address */
async function findBrokenUrls(addresses: readonly string[], check: typeof checkUrl): Promise<BrokenUrl[]> {
  const broken: BrokenUrl[] = []
  // One iterator for all workers, so that each takes the next address.
  const queue = addresses.values()
  const work = async () => {
    for (const address of queue) {
      const { outcome, status } = await check(address)
      if (outcome !== 'alive') broken.push({ address, outcome, ...(status !== undefined && { status }) })
    }
  }
  await Promise.all(Array.from({ length: limits.externalLinksAtOnce }, work))
  return broken.toSorted((a, b) => (a.address < b.address ? -1 : 1))
}
