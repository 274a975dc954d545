import { Refusal } from '../../contract/errors.ts'
import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type FoundLink, type LinkPurpose, takeLink } from './link.queries.ts'

/**
 * Uses a link up. It is in force again when the transaction is undone.
 * @throws {Refusal} `link_ended` when it was used, is past its time, was replaced, or never was
 */
export async function consumeLink(
  tx: Transaction,
  ctx: Pick<Context, 'now'>,
  wanted: { purpose: LinkPurpose; token: string },
): Promise<FoundLink> {
  const link = await takeLink(tx, { purpose: wanted.purpose, tokenHash: tokenHash(wanted.token) }, ctx.now())
  if (!link) throw new Refusal('link_ended')
  return link
}
