import { isAbsolute, relative, resolve } from 'node:path'
import { type BackupSettings, type ChangedBackupSettings, canManageBackups } from '../../contract/backups.ts'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { isOrigin } from '../../contract/url.ts'
import { ExplainedError, type Reason, reasonOf, reasonText } from '../../i18n/reason.ts'
import type { BackupKey } from '../../platform/archive/backup-key.ts'
import type { BackupParts } from '../../platform/archive/backup-parts.ts'
import { type BackupTarget, folderTarget, testTarget } from '../../platform/archive/backup-target.ts'
import { decryptText, encryptText } from '../../platform/config/encrypted-text.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { allow, isStale, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findSettingRow, saveSettingRow } from './backup-run.queries.ts'

/** The settings as they are stored. */
export interface StoredSettings extends Omit<BackupSettings, 'hasSecret' | 'version'> {
  /** The secret access key of S3, encrypted with `Context.secret`; empty without one. */
  encryptedSecret: string
  /** The public key (age recipient) that encrypts all backups; empty until the first use. */
  recipient: string
  /** When this key replaced an earlier one, as an ISO instant; empty if it is the first. */
  recipientSince: string
}

export interface FoundSettings {
  settings: StoredSettings
  version: number
  /** When the current schedule began; undefined without a schedule. */
  since: Date | undefined
}

type Parts = { backups: Pick<BackupParts, 'defaultFolder'> }

const defaultSettings = ({ backups }: Parts): StoredSettings => ({
  scheduled: false,
  time: '03:00',
  daily: 7,
  weekly: 5,
  monthly: 12,
  kind: 'folder',
  folder: backups.defaultFolder,
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  encryptedSecret: '',
  recipient: '',
  recipientSince: '',
})

/** The stored settings, or the defaults when none are stored. */
export async function findBackupSettings(ctx: Parts, db: Db): Promise<FoundSettings> {
  const row = await findSettingRow(db)
  if (!row) return { settings: defaultSettings(ctx), version: 0, since: undefined }
  return {
    settings: { ...defaultSettings(ctx), ...JSON.parse(row.value) },
    version: row.version,
    since: row.since === null ? undefined : new Date(row.since),
  }
}

/** The settings as staff see them, without secrets. */
export function toBackupSettings({ settings, version }: FoundSettings): BackupSettings {
  const { encryptedSecret, recipient, recipientSince, ...shown } = settings
  return { ...shown, hasSecret: encryptedSecret !== '', version }
}

/** Opens the configured target. @throws {ExplainedError} when the S3 key cannot be decrypted, because the secret changed */
export async function openTarget(ctx: Pick<Context, 'secret'>, settings: StoredSettings): Promise<BackupTarget> {
  if (settings.kind === 'folder') return folderTarget(settings.folder)
  const secretAccessKey = await decryptText(ctx.secret, settings.encryptedSecret)
  if (secretAccessKey === undefined) {
    throw new ExplainedError({ key: 'targetSecret' })
  }
  const { s3Target } = await import('../../platform/archive/s3-target.ts')
  return s3Target({ ...settings, secretAccessKey })
}

/** Tests a target with a small file. @returns null, or the reason why it fails @throws {Refusal} `password_needed` */
export async function testBackupTarget(
  ctx: Context,
  input: ChangedBackupSettings,
  locale: Locale,
): Promise<string | null> {
  allow(ctx, canManageBackups)
  requireConfirmed(ctx)
  const problem = await testSettings(ctx, await settingsFromInput(ctx, input, await findBackupSettings(ctx, ctx.db)))
  return problem === null ? null : reasonText(problem, locale)
}

/** @returns null when the target of these settings works, else the reason */
async function testSettings(ctx: Context, settings: StoredSettings): Promise<Reason | string | null> {
  let target: BackupTarget | undefined
  try {
    target = await openTarget(ctx, settings)
    await testTarget(target)
    return null
  } catch (error) {
    return reasonOf(error)
  } finally {
    target?.close()
  }
}

/**
 * Stores the settings after testing the target. A changed schedule starts now, so no earlier backup counts as missed.
 * @throws {Refusal} `password_needed`, `stale`, `invalid`
 */
export async function saveBackupSettings(ctx: Context, input: ChangedBackupSettings): Promise<BackupSettings> {
  allow(ctx, canManageBackups)
  requireConfirmed(ctx)
  const before = await findBackupSettings(ctx, ctx.db)
  const settings = await settingsFromInput(ctx, input, before)
  if ((await testSettings(ctx, settings)) !== null) {
    throw invalid({ path: settings.kind === 'folder' ? 'folder' : 'endpoint', key: 'backupTarget' })
  }
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    const stored = await findBackupSettings(ctx, tx)
    if (isStale(input, stored)) throw new Refusal('stale', { current: toBackupSettings(stored) })
    const isNewSchedule = !stored.since || settings.time !== stored.settings.time
    const scheduledSince = isNewSchedule ? ctx.now() : stored.since
    const since = settings.scheduled ? scheduledSince : undefined
    const saved = { settings, version: stored.version + 1, since }
    await saveSettingRow(tx, {
      value: JSON.stringify({
        ...settings,
        recipient: stored.settings.recipient,
        recipientSince: stored.settings.recipientSince,
      }),
      version: saved.version,
      since: since?.toISOString() ?? null,
    })
    await record(tx, ctx, {
      action: 'backup.settings_changed',
      subject: { type: 'backup', name: '' },
      before: auditedSettings(stored.settings),
      after: auditedSettings(settings),
    })
    return toBackupSettings(saved)
  })
}

const auditedSettings = ({ encryptedSecret, recipient, recipientSince, ...settings }: StoredSettings) => settings

const invalid = (...problems: FieldProblem[]) => new Refusal('invalid', { problems })

/** Validates the input and completes it with the stored values that the form lacks. @throws {Refusal} `invalid` */
async function settingsFromInput(
  ctx: Context,
  input: ChangedBackupSettings,
  before: FoundSettings,
): Promise<StoredSettings> {
  const { secretAccessKey, version, ...settings } = input
  if (settings.kind === 'folder') {
    const isInside = (folder: string) => !relative(folder, settings.folder).startsWith('..')
    if (!isAbsolute(settings.folder) || ctx.backups.otherFolders.some(isInside)) {
      throw invalid({ path: 'folder', key: 'backupFolder' })
    }
    // Keeps the S3 settings and their key, for when the target is switched back.
    const { endpoint, region, bucket, prefix, accessKeyId, encryptedSecret, recipient, recipientSince } =
      before.settings
    const storedBucket = { endpoint, region, bucket, prefix, accessKeyId, encryptedSecret }
    return { ...settings, ...storedBucket, folder: resolve(settings.folder), recipient, recipientSince }
  }
  const missing = (['endpoint', 'region', 'bucket', 'accessKeyId'] as const).filter((path) => settings[path] === '')
  const problems: FieldProblem[] = missing.map((path) => ({ path, key: 'required' }))
  if (settings.endpoint !== '' && !isOrigin(settings.endpoint)) problems.push({ path: 'endpoint', key: 'url' })
  if (settings.bucket !== '' && !/^[\w.-]+$/.test(settings.bucket)) problems.push({ path: 'bucket', key: 'value' })
  if (!/^([\w.-]+(\/[\w.-]+)*)?$/.test(settings.prefix)) problems.push({ path: 'prefix', key: 'value' })
  // The stored key is only used with the server and access key id for which it was entered.
  const isSameAccount =
    before.settings.endpoint === settings.endpoint && before.settings.accessKeyId === settings.accessKeyId
  if (secretAccessKey === '' && (!isSameAccount || before.settings.encryptedSecret === '')) {
    problems.push({ path: 'secretAccessKey', key: 'required' })
  }
  if (problems.length > 0) throw invalid(...problems)
  const encryptedSecret =
    secretAccessKey === '' ? before.settings.encryptedSecret : await encryptText(ctx.secret, secretAccessKey)
  const { recipient, recipientSince } = before.settings
  return { ...settings, encryptedSecret, recipient, recipientSince }
}

/** This instance lacks the key of the site's backups, or has a different one. */
export class BackupKeyMismatch extends ExplainedError {
  constructor() {
    super({ key: 'otherKey' })
  }
}

/**
 * Returns the key of the site's backups. All instances must have the same one, so that one recovery sheet opens every
 * backup: the first instance that needs a key makes its own key that of the site, and creates one if it has none.
 * @param replace makes the key of this instance the key of the site
 * @throws {BackupKeyMismatch}
 */
export async function findOrCreateSiteKey(
  ctx: Pick<Context, 'dialect' | 'now' | 'transaction'> & { backups: BackupParts },
  { replace = false } = {},
): Promise<BackupKey> {
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    const { settings } = await findBackupSettings(ctx, tx)
    const maySetKey = replace || settings.recipient === ''
    const key = maySetKey ? await ctx.backups.key() : await ctx.backups.findKey()
    if (key && key.recipient === settings.recipient) return key
    if (!key || !maySetKey) throw new BackupKeyMismatch()
    const row = await findSettingRow(tx)
    const recipientSince = settings.recipient === '' ? '' : ctx.now().toISOString()
    const value = JSON.stringify({ ...JSON.parse(row?.value ?? '{}'), recipient: key.recipient, recipientSince })
    await saveSettingRow(tx, { version: 0, since: null, ...row, value })
    if (recipientSince !== '') {
      const change = { before: { recipient: settings.recipient }, after: { recipient: key.recipient } }
      const subject = { type: 'backup', name: '' }
      await record(tx, { now: ctx.now, actor: undefined }, { action: 'backup.settings_changed', subject, ...change })
    }
    return key
  })
}
