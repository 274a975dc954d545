import { randomBytes } from 'node:crypto'
import { defaultLocale, localizedPath } from '../../contract/locales.ts'
import { linkPaths } from '../../contract/sign-in.ts'
import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { deleteLinksOf, findLocaleOf, insertLink, type LinkPurpose } from './link.queries.ts'

type LinkContext = Pick<Context, 'now' | 'origin'>

/**
 * Makes a link that works once; an older one of this user for the same purpose ends. Who gets it is the caller's
 * matter: it must be in no log.
 * @param ctx with `origin: ctx.reached` for a link that is shown to the one who asks, and not mailed
 * @returns its whole address, to the page in the language of the user
 */
export async function makeLink(
  tx: Transaction,
  ctx: LinkContext,
  link: { purpose: LinkPurpose; userId: number | null; email?: string; minutes: number; besideOthers?: true },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.now()
  if (link.userId !== null && !link.besideOthers) await deleteLinksOf(tx, [link.userId], link.purpose)
  await insertLink(tx, {
    tokenHash: tokenHash(token),
    purpose: link.purpose,
    userId: link.userId,
    email: link.email,
    expiresAt: new Date(now.getTime() + link.minutes * 60_000),
    now,
  })
  const locale = link.userId === null ? undefined : await findLocaleOf(tx, link.userId)
  return `${ctx.origin}${localizedPath(linkPaths[link.purpose], locale ?? defaultLocale)}?token=${token}`
}

/** The same for a letter: whoever asks for one, or a mail server that is away, must not end a link that somebody holds. */
export const makeMailedPasswordLink = (
  tx: Transaction,
  ctx: LinkContext,
  userId: number,
  minutes: number,
): Promise<string> => makeLink(tx, ctx, { purpose: 'password', userId, minutes, besideOthers: true })

/** The link with which somebody sets a password. @param minutes how long it works: `limits.linkMinutes` for one that was asked for */
export const makePasswordLink = (tx: Transaction, ctx: LinkContext, userId: number, minutes: number): Promise<string> =>
  makeLink(tx, ctx, { purpose: 'password', userId, minutes })
