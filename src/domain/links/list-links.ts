import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { DeadLinks, ForeignLinks, LinkHolder, LinksToPage } from '../../contract/links.ts'
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
 * The links to a page by its address, also through a redirect; links within the page itself are left out.
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
  for await (const { holder, pageId, own } of scanLinks(ctx)) {
    if (pageId === id || !own.some(({ path }) => path !== undefined && targets.has(path))) continue
    if (holder === null) otherDrafts++
    else if (total++ < limits.linkHoldersShown) holders.push(holder)
  }
  return { holders, total, otherDrafts }
}

/**
 * The addresses that lead to a page: the published ones, or those of a page in the trash. That in the main language leads to
 * the page in every language.
 */
function addressesOf(page: PageRow, site: SiteLanguages, only: Locale | undefined): string[] {
  return textsOf(page).flatMap(({ locale, slug, liveSlug }) => {
    const shown = page.deletedAt === null ? liveSlug : slug
    if (shown === null || (only !== undefined && only !== locale)) return []
    const languages = locale === mainLocaleOf(site) ? site.locales : [locale]
    return languages.map((one) => localizedPath(`/${shown}`, one, site))
  })
}

/**
 * Links to addresses of this site at which there is nothing.
 * @param isServed whether the site serves something other than a page at a path, written as in the address bar
 */
export async function listDeadLinks(ctx: Context, isServed: (path: string) => Promise<boolean>): Promise<DeadLinks> {
  allow(ctx, canSeePages)
  const { dead, checked } = await collectDeadLinks(ctx, isServed)
  const links = [...dead].map(([address, found]) => ({ address, ...found }))
  links.sort((one, other) => other.total - one.total || (one.address < other.address ? -1 : 1))
  return {
    links: links.slice(0, limits.deadLinksShown),
    more: Math.max(links.length - limits.deadLinksShown, 0),
    checked,
  }
}

/** To how many addresses of this site at which there is nothing texts link. Called by a background task too. */
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
  const known = new Map<string, boolean>()
  const dead = new Map<string, { holders: LinkHolder[]; total: number }>()
  const leadsNowhere = async (path: string) => {
    const isDead = !(await isReachable(ctx, path, { live, isServed }))
    known.set(path, isDead)
    return isDead
  }
  for await (const { holder, own } of scanLinks(ctx)) {
    if (holder === null) continue
    const addresses = new Set<string>()
    for (const { path, url } of own) {
      const isDead = path === undefined || (known.get(path) ?? (await leadsNowhere(path)))
      if (isDead) addresses.add(path ?? url)
    }
    for (const address of addresses) {
      const found = dead.get(address) ?? { holders: [], total: 0 }
      if (found.total++ < limits.linkHoldersShown) found.holders.push(holder)
      dead.set(address, found)
    }
  }
  return { dead, checked: known.size }
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
 * Requests some of the links to other sites, in the order of their addresses; the client goes on with `next`. Without a
 * person who asks, nothing is requested of other sites.
 */
export async function checkForeignLinks(
  ctx: Context,
  { after }: { after: string },
  check: typeof checkUrl,
): Promise<ForeignLinks> {
  allow(ctx, canSeePages)
  // A site may have very many: texts are noted for those alone that are checked now.
  const found = new Map<string, { holders: LinkHolder[]; total: number }>()
  const rest = new Set<string>()
  // Of those found, once they are enough.
  let last: string | undefined
  for await (const { holder, foreign } of scanLinks(ctx)) {
    if (holder === null) continue
    for (const address of new Set(foreign)) {
      if (address <= after) continue
      rest.add(address)
      if (last !== undefined && address > last) continue
      const known = found.get(address) ?? { holders: [], total: 0 }
      if (known.total++ < limits.linkHoldersShown) known.holders.push(holder)
      found.set(address, known)
      if (found.size <= limits.foreignLinksPerCheck) continue
      const sorted = [...found.keys()].toSorted()
      found.delete(sorted.at(-1) as string)
      last = sorted.at(-2)
    }
  }
  const addresses = [...found.keys()].toSorted()
  const left = rest.size - addresses.length
  return {
    links: (await checkAll(addresses, check)).map((link) => ({ ...link, ...(found.get(link.address) as Held) })),
    checked: addresses.length,
    left,
    next: left === 0 ? null : (addresses.at(-1) as string),
  }
}

type Held = Pick<ForeignLinks['links'][number], 'holders' | 'total'>

/** The links that are not alive, a few at a time. */
async function checkAll(
  addresses: readonly string[],
  check: typeof checkUrl,
): Promise<Omit<ForeignLinks['links'][number], keyof Held>[]> {
  const failed: Awaited<ReturnType<typeof checkAll>> = []
  const waiting = addresses.values()
  const work = async () => {
    for (const address of waiting) {
      const { outcome, status } = await check(address)
      if (outcome !== 'alive') failed.push({ address, outcome, ...(status !== undefined && { status }) })
    }
  }
  await Promise.all(Array.from({ length: limits.foreignLinksAtOnce }, work))
  return failed.toSorted((one, other) => (one.address < other.address ? -1 : 1))
}
