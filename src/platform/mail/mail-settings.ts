import type { z } from 'zod'
import { type SmtpSettings, smtpSettings } from '../../contract/mail-server.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { MailSettingTable } from '../db/tables/messages.ts'
import type { SmtpConnection } from './transport.ts'

type Name = MailSettingTable['name']

/** What staff set, and its password. */
export interface StoredMailSetting<Value> {
  version: number
  value: Value | undefined
  hasPassword: boolean
  /** Undefined also when it cannot be read, because the secret of the program changed. */
  password: string | undefined
}

export const findSmtpSettings = (
  db: Database | Transaction,
  secret: string,
): Promise<StoredMailSetting<SmtpSettings>> => findMailSetting(db, secret, 'smtp', smtpSettings)

/** The tag of `invalidate` when the mail server changes, so that every process sends by the new one. */
export const mailServerTag = 'mail-server'

/** The server to send by; undefined without one, or without its password. */
export function smtpConnectionOf(stored: StoredMailSetting<SmtpSettings>): SmtpConnection | undefined {
  const { value, hasPassword, password = '' } = stored
  if (!value || (hasPassword && password === '')) return undefined
  const { host, port, security, user } = value
  return { host, port, security, user, password }
}

async function findMailSetting<Schema extends z.ZodType>(
  db: Database | Transaction,
  secret: string,
  name: Name,
  schema: Schema,
): Promise<StoredMailSetting<z.infer<Schema>>> {
  const row = await db
    .selectFrom('mail_setting')
    .select(['value', 'password', 'version'])
    .where('name', '=', name)
    .executeTakeFirst()
  // Settings of a newer version of the program may have other fields; without them no email is sent, and the screen asks.
  const value = row?.value ? schema.safeParse(JSON.parse(row.value)).data : undefined
  const encrypted = value === undefined ? null : (row?.password ?? null)
  return {
    version: row?.version ?? 0,
    value,
    hasPassword: encrypted !== null,
    password: encrypted === null ? undefined : await decrypt(encrypted, secret),
  }
}

/** Replaces a setting. @param password undefined: without one */
export async function storeMailSetting(
  tx: Transaction,
  secret: string,
  setting: { name: Name; value: object | null; password: string | undefined; version: number; at: Date },
): Promise<void> {
  const { name, value, password, version, at } = setting
  const values = {
    value: value && JSON.stringify(value),
    password: password ? await encrypt(password, secret) : null,
    version,
    updated_at: at.toISOString(),
  }
  await tx
    .insertInto('mail_setting')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute()
}

/** Loaded when needed, because it is a large library. */
const cryptography = () => import('better-auth/crypto')

const encrypt = async (data: string, key: string) => (await cryptography()).symmetricEncrypt({ key, data })

const decrypt = async (data: string, key: string): Promise<string | undefined> => {
  const { symmetricDecrypt } = await cryptography()
  return symmetricDecrypt({ key, data }).catch(() => undefined)
}
