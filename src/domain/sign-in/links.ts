import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { defaultLocale, prefixedPath } from '../../contract/locales.ts'
import { linkPaths } from '../../contract/sign-in.ts'
import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import {
  consumeLinkRow,
  deleteUserLinks,
  type FoundLink,
  findLink,
  findUserLocale,
  insertLink,
  type LinkPurpose,
} from './link.queries.ts'
import { findActiveUser } from './user.queries.ts'

type LinkContext = Pick<Context, 'now' | 'origin'>

/**
 * Creates a single-use link; earlier links of this user for the same purpose end by default. Only a setup link may be
 * logged.
 * @param ctx with `origin: ctx.requestOrigin` for a link that is shown on the screen instead of emailed
 * @returns the absolute URL, below the prefix of the user's language unless that is Dutch
 */
export async function createLink(
  tx: Transaction,
  ctx: LinkContext,
  link: {
    purpose: LinkPurpose
    userId: number | null
    email?: string
    minutes: number
    /** Earlier links of this user for the same purpose stay valid. */
    keepEarlier?: true
    /** It is shown to the user who creates it, instead of being emailed. */
    shown?: true
  },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.now()
  if (link.userId !== null && !link.keepEarlier) await deleteUserLinks(tx, [link.userId], link.purpose)
  await insertLink(tx, {
    tokenHash: tokenHash(token),
    purpose: link.purpose,
    userId: link.userId,
    email: link.email,
    shown: link.shown === true,
    expiresAt: new Date(now.getTime() + link.minutes * 60_000),
    now,
  })
  const locale = link.userId === null ? undefined : await findUserLocale(tx, link.userId)
  const path = linkPaths[link.purpose]
  // If this language is at the root of the site, its prefix redirects there. Without a prefix, the cookie or the
  // browser decides on the language of the page.
  const pathInLocale = locale === undefined || locale === defaultLocale ? path : prefixedPath(path, locale)
  return `${ctx.origin}${pathInLocale}?token=${token}`
}

type CreatePasswordLink = (tx: Transaction, ctx: LinkContext, userId: number, minutes: number) => Promise<string>

/**
 * Creates a link for an email. Earlier links stay valid, so that a request by somebody else cannot end a link in use.
 */
export const createMailedPasswordLink: CreatePasswordLink = (tx, ctx, userId, minutes) =>
  createLink(tx, ctx, { purpose: 'password', userId, minutes, keepEarlier: true })

/** Creates a link that another user sees, so a password that it sets counts as chosen by somebody else. */
export const createShownPasswordLink: CreatePasswordLink = (tx, ctx, userId, minutes) =>
  createLink(tx, ctx, { purpose: 'password', userId, minutes, shown: true })

/** Creates a link for the operator, who is trusted: without a mail server it is the only way to renew a password. */
export const createOperatorPasswordLink: CreatePasswordLink = (tx, ctx, userId, minutes) =>
  createLink(tx, ctx, { purpose: 'password', userId, minutes })

/**
 * Consumes a single-use link; a rollback restores it.
 * @throws {Refusal} `link_ended` when it was used, expired, was replaced, or never existed
 */
export async function consumeLink(
  tx: Transaction,
  ctx: Pick<Context, 'now'>,
  { purpose, token }: { purpose: LinkPurpose; token: string },
): Promise<FoundLink> {
  const link = await consumeLinkRow(tx, { purpose, tokenHash: tokenHash(token) }, ctx.now())
  if (!link) throw new Refusal('link_ended')
  return link
}

/**
 * The user whose password a link sets; undefined when the link is not valid, or the user is blocked. The link is not
 * consumed, because mail scanners open links too.
 */
export async function findPasswordLinkUser(
  ctx: Pick<Context, 'db' | 'now'>,
  token: string,
): Promise<{ email: string } | undefined> {
  const link = await findLink(ctx.db, { purpose: 'password', tokenHash: tokenHash(token) }, ctx.now())
  if (!link || link.userId === null) return undefined
  const user = await findActiveUser(ctx.db, link.userId)
  return user && { email: user.email }
}

/** Whether a link that confirms an email address is still valid; it is not consumed. */
export async function isEmailLinkValid(ctx: Pick<Context, 'db' | 'now'>, token: string): Promise<boolean> {
  return (await findLink(ctx.db, { purpose: 'email', tokenHash: tokenHash(token) }, ctx.now())) !== undefined
}

/** The template name stored in the outbox. */
export const passwordTemplate = 'passwordLink'

/** Data of the email, added when it is sent; the outbox stores only the address. */
export interface PasswordEmail {
  name: string
  email: string
  locale: string
  /** Contains the token, so it is stored nowhere. */
  url: string
}
