import type { Database, Transaction } from '../db/database.ts'
import { keepUsedCode } from './auth.queries.ts'
import { tokenHash } from './token-hash.ts'

/** How long a code of an authenticator app may be accepted, with the steps beside it. */
const codeLivesMs = 120_000

/** Uses up a code of an authenticator app. @returns false when it was used before */
export function consumeCode(db: Database | Transaction, userId: number | string, code: string): Promise<boolean> {
  const now = new Date()
  return keepUsedCode(db, {
    code: tokenHash(`${userId}:${code}`),
    now,
    until: new Date(now.getTime() + codeLivesMs),
  })
}
