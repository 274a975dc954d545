import { Refusal } from '../../contract/errors.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { managingHeld } from './role.queries.ts'

/**
 * Makes a change of users or roles, unless nobody would be left who can manage users.
 * @param tx holds the lock of `lockPeople`
 * @throws {Refusal} `last_manager`
 */
export async function keepAManager<T>(tx: Transaction, change: () => Promise<T>): Promise<T> {
  const before = await managingHeld(tx)
  const result = await change()
  if ((await managingHeld(tx)).length < before.length) throw new Refusal('last_manager')
  return result
}
