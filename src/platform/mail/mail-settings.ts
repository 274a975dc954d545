import type { z } from 'zod'
import { type ImapSettings, imapSettings, type SmtpSettings, smtpSettings } from '../../contract/mail-server.ts'
import type { Db, Transaction } from '../db/database.ts'
import { findStoredSetting, type MailSettingName, replaceStoredSetting } from './mail-settings.queries.ts'
import type { SmtpServer } from './transport.ts'

/** The mail settings that staff saved, with their decrypted password. */
export interface StoredMailSetting<Value> {
  version: number
  value: Value | undefined
  hasPassword: boolean
  /** Undefined also when it cannot be decrypted, because `Context.secret` changed. */
  password: string | undefined
}

export const findSmtpSettings = (db: Db, secret: string): Promise<StoredMailSetting<SmtpSettings>> =>
  findMailSetting(db, secret, 'smtp', smtpSettings)

export const findImapSettings = (db: Db, secret: string): Promise<StoredMailSetting<ImapSettings>> =>
  findMailSetting(db, secret, 'imap', imapSettings)

/** The cache tag that a change of the mail server invalidates, upon which every process loads the new server. */
export const mailServerTag = 'mail-server'

/**
 * The server to send by: of `SMTP_URL`, or else that of staff.
 * @returns undefined without one, or if its password is unreadable
 */
export async function findSmtpServer(
  db: Db,
  { smtpUrl, secret }: { smtpUrl: string | undefined; secret: string },
): Promise<SmtpServer | undefined> {
  if (smtpUrl) return smtpUrl
  const { value, hasPassword, password = '' } = await findSmtpSettings(db, secret)
  if (!value || (hasPassword && password === '')) return undefined
  const { host, port, security, user } = value
  return { host, port, security, user, password }
}

async function findMailSetting<Schema extends z.ZodType>(
  db: Db,
  secret: string,
  name: MailSettingName,
  schema: Schema,
): Promise<StoredMailSetting<z.infer<Schema>>> {
  const row = await findStoredSetting(db, name)
  // Settings of a newer version may not parse; they count as missing then, so that the admin asks for them again.
  const value = row?.value ? schema.safeParse(JSON.parse(row.value)).data : undefined
  const encrypted = value === undefined ? null : (row?.password ?? null)
  return {
    version: row?.version ?? 0,
    value,
    hasPassword: encrypted !== null,
    password: encrypted === null ? undefined : await decrypt(encrypted, secret),
  }
}

/** Replaces a setting; its password is stored encrypted. */
export async function storeMailSetting(
  tx: Transaction,
  secret: string,
  setting: { name: MailSettingName; value: object | null; password: string | undefined; version: number; at: Date },
): Promise<void> {
  const { name, value, password, version, at } = setting
  await replaceStoredSetting(tx, name, {
    value: value && JSON.stringify(value),
    password: password ? await encrypt(password, secret) : null,
    version,
    updated_at: at.toISOString(),
  })
}

/** Loaded when needed, because it is a large library. */
const cryptography = () => import('better-auth/crypto')

const encrypt = async (data: string, key: string) => (await cryptography()).symmetricEncrypt({ key, data })

const decrypt = async (data: string, key: string): Promise<string | undefined> => {
  const { symmetricDecrypt } = await cryptography()
  return symmetricDecrypt({ key, data }).catch(() => undefined)
}
