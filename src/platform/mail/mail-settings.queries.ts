import type { Insertable } from 'kysely'
import type { Db, Transaction } from '../db/database.ts'
import type { MailSettingTable } from '../db/tables/messages.ts'

export type MailSettingName = MailSettingTable['name']

/** A setting as it is stored: its value as JSON, its password encrypted. */
export const findStoredSetting = (db: Db, name: MailSettingName) =>
  db.selectFrom('mail_setting').select(['value', 'password', 'version']).where('name', '=', name).executeTakeFirst()

export async function replaceStoredSetting(
  tx: Transaction,
  name: MailSettingName,
  row: Omit<Insertable<MailSettingTable>, 'name'>,
): Promise<void> {
  await tx
    .insertInto('mail_setting')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}
