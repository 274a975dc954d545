import { limits } from '../../contract/limits.ts'
import type { ForeignLinks, LinkHolder } from '../../contract/links.ts'
import type { Context } from '../../platform/context.ts'
import type { checkUrl } from '../../platform/net/check-url.ts'
import { allow } from '../allow.ts'
import { canSeePages } from '../pages/page.policy.ts'
import { scanLinks } from './scan-links.ts'

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
  const found = new Map<string, { holders: LinkHolder[]; total: number }>()
  for await (const { holder, foreign } of scanLinks(ctx)) {
    if (holder === null) continue
    for (const address of new Set(foreign)) {
      const known = found.get(address) ?? { holders: [], total: 0 }
      if (known.total === 0 && found.size >= limits.foreignLinks) continue
      if (known.total++ < limits.linkHoldersShown) known.holders.push(holder)
      found.set(address, known)
    }
  }
  const rest = [...found.keys()].toSorted().filter((address) => address > after)
  const addresses = rest.slice(0, limits.foreignLinksPerCheck)
  const left = rest.length - addresses.length
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
