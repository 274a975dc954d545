import type { Db, Transaction } from '../../platform/db/database.ts'

/**
 * A user's second factor; until it is verified, it is being set up. Secrets and codes in this file are encrypted: see
 * `platform/auth/two-factor.ts`.
 */
export async function findTwoFactor(
  db: Db,
  userId: number,
): Promise<{ secret: string; verified: boolean } | undefined> {
  const row = await db
    .selectFrom('two_factor')
    .where('user_id', '=', userId)
    .select(['secret', 'verified'])
    .executeTakeFirst()
  return row && { secret: row.secret, verified: row.verified === 1 }
}

/** Stores a secret that is inactive until verified. It replaces an unverified secret; a verified one stays. */
export async function upsertPendingTwoFactor(
  tx: Transaction,
  userId: number,
  encrypted: { secret: string; codes: string },
): Promise<void> {
  await tx
    .insertInto('two_factor')
    .values({ user_id: userId, secret: encrypted.secret, backup_codes: encrypted.codes, verified: 0 })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret: encrypted.secret, backup_codes: encrypted.codes })
        .where('two_factor.verified', '=', 0),
    )
    .execute()
}

/**
 * Activates the second factor that was being set up, with new recovery codes.
 * @returns false when another secret is stored by now, or this one is active already
 */
export async function markTwoFactorVerified(
  tx: Transaction,
  userId: number,
  encrypted: { secret: string; codes: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factor')
    .set({ verified: 1, backup_codes: encrypted.codes })
    .where('user_id', '=', userId)
    .where('secret', '=', encrypted.secret)
    .where('verified', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns false when the second factor is off */
export async function updateRecoveryCodes(tx: Transaction, userId: number, encrypted: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factor')
    .set({ backup_codes: encrypted })
    .where('user_id', '=', userId)
    .where('verified', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteTwoFactor(tx: Transaction, userId: number): Promise<void> {
  await tx.deleteFrom('two_factor').where('user_id', '=', userId).execute()
}
