import { isAbsolute, relative, resolve } from 'node:path'
import {
  type BackupPlan,
  type BackupSettings,
  type ChangedBackupSettings,
  canManageBackups,
} from '../../contract/backups.ts'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { isOrigin } from '../../contract/url.ts'
import type { BackupKey } from '../../platform/archive/backup-key.ts'
import type { BackupParts } from '../../platform/archive/backup-parts.ts'
import { type BackupTarget, folderTarget, tryTarget } from '../../platform/archive/backup-target.ts'
import { decryptText, encryptText } from '../../platform/config/encrypted-text.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { allow, isStale, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findSettingRow, saveSettingRow } from './backup-run.queries.ts'

/** The stored settings; the secret key of the S3 server is encrypted with the program's secret. */
export interface StoredPlan extends BackupPlan {
  encryptedSecret: string
  /** The public key (age recipient) that encrypts all backups; empty until the first use. */
  recipient: string
  /** When it replaced another one; empty if it is the first. */
  recipientSince: string
}

export interface FoundPlan {
  plan: StoredPlan
  version: number
  since: Date | undefined
}

type Parts = { backups: Pick<BackupParts, 'defaultFolder'> }

const usual = ({ backups }: Parts): StoredPlan => ({
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
export async function findPlan(ctx: Parts, db: Database | Transaction): Promise<FoundPlan> {
  const row = await findSettingRow(db)
  if (!row) return { plan: usual(ctx), version: 0, since: undefined }
  return {
    plan: { ...usual(ctx), ...JSON.parse(row.value) },
    version: row.version,
    since: row.since === null ? undefined : new Date(row.since),
  }
}

export function shownSettings({ plan, version }: FoundPlan): BackupSettings {
  const { encryptedSecret, recipient, recipientSince, ...shown } = plan
  return { ...shown, hasSecret: encryptedSecret !== '', version }
}

/** @throws {Error} when the S3 secret key cannot be decrypted, because the program's secret changed */
export async function openTarget(ctx: Pick<Context, 'secret'>, plan: StoredPlan): Promise<BackupTarget> {
  if (plan.kind === 'folder') return folderTarget(plan.folder)
  const secretAccessKey = await decryptText(ctx.secret, plan.encryptedSecret)
  if (secretAccessKey === undefined) {
    throw new Error('the secret key of the S3 server was stored with another secret of this program: enter it again')
  }
  const { s3Target } = await import('../../platform/archive/s3-target.ts')
  return s3Target({ ...plan, secretAccessKey })
}

/** Tests a target with a small file. @returns the error message, or null @throws {Refusal} `password_needed` */
export async function tryBackupTarget(ctx: Context, input: ChangedBackupSettings): Promise<string | null> {
  allow(ctx, canManageBackups)
  requireConfirmed(ctx)
  return tried(ctx, await planFromInput(ctx, input, await findPlan(ctx, ctx.db)))
}

async function tried(ctx: Context, plan: StoredPlan): Promise<string | null> {
  let target: BackupTarget | undefined
  try {
    target = await openTarget(ctx, plan)
    await tryTarget(target)
    return null
  } catch (error) {
    return (error as Error).message
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
  const before = await findPlan(ctx, ctx.db)
  const plan = await planFromInput(ctx, input, before)
  if ((await tried(ctx, plan)) !== null) {
    throw invalid({ path: plan.kind === 'folder' ? 'folder' : 'endpoint', key: 'backupTarget' })
  }
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    const stored = await findPlan(ctx, tx)
    if (isStale(input, stored)) throw new Refusal('stale', { current: shownSettings(stored) })
    const restarted = plan.scheduled && (!stored.since || plan.time !== stored.plan.time)
    const since = plan.scheduled ? (restarted ? ctx.now() : stored.since) : undefined
    const saved = { plan, version: stored.version + 1, since }
    await saveSettingRow(tx, {
      value: JSON.stringify({
        ...plan,
        recipient: stored.plan.recipient,
        recipientSince: stored.plan.recipientSince,
      }),
      version: saved.version,
      since: since?.toISOString() ?? null,
    })
    await record(tx, ctx, {
      action: 'backup.settings_changed',
      subject: { type: 'backup', name: '' },
      before: logged(stored.plan),
      after: logged(plan),
    })
    return shownSettings(saved)
  })
}

const logged = ({ encryptedSecret, recipient, recipientSince, ...plan }: StoredPlan) => plan

const invalid = (...problems: FieldProblem[]) => new Refusal('invalid', { problems })

async function planFromInput(ctx: Context, input: ChangedBackupSettings, before: FoundPlan): Promise<StoredPlan> {
  const { secretAccessKey, version, ...plan } = input
  if (plan.kind === 'folder') {
    const inside = (folder: string) => !relative(folder, plan.folder).startsWith('..')
    if (!isAbsolute(plan.folder) || ctx.backups.otherFolders.some(inside)) {
      throw invalid({ path: 'folder', key: 'backupFolder' })
    }
    // Keeps the S3 settings and their key, for when the target is switched back.
    const { endpoint, region, bucket, prefix, accessKeyId, encryptedSecret, recipient, recipientSince } = before.plan
    const bucketBefore = { endpoint, region, bucket, prefix, accessKeyId, encryptedSecret }
    return { ...plan, ...bucketBefore, folder: resolve(plan.folder), recipient, recipientSince }
  }
  const needed = (['endpoint', 'region', 'bucket', 'accessKeyId'] as const).filter((path) => plan[path] === '')
  const problems: FieldProblem[] = needed.map((path) => ({ path, key: 'required' }))
  if (plan.endpoint !== '' && !isOrigin(plan.endpoint)) problems.push({ path: 'endpoint', key: 'url' })
  if (plan.bucket !== '' && !/^[\w.-]+$/.test(plan.bucket)) problems.push({ path: 'bucket', key: 'value' })
  if (!/^([\w.-]+(\/[\w.-]+)*)?$/.test(plan.prefix)) problems.push({ path: 'prefix', key: 'value' })
  // The stored key is only used with the server and access key id for which it was entered.
  const same = before.plan.endpoint === plan.endpoint && before.plan.accessKeyId === plan.accessKeyId
  if (secretAccessKey === '' && (!same || before.plan.encryptedSecret === '')) {
    problems.push({ path: 'secretAccessKey', key: 'required' })
  }
  if (problems.length > 0) throw invalid(...problems)
  const encryptedSecret =
    secretAccessKey === '' ? before.plan.encryptedSecret : await encryptText(ctx.secret, secretAccessKey)
  const { recipient, recipientSince } = before.plan
  return { ...plan, encryptedSecret, recipient, recipientSince }
}

/** This instance lacks the key of the site's backups, or has a different one. */
export class BackupKeyMismatch extends Error {
  constructor() {
    super(
      'this copy of the program does not have the key of the backups: set BACKUP_KEY to that of the recovery sheet, the same for every copy',
    )
  }
}

/**
 * The key of the site's backups, which all instances must have: the first one that needs it sets its own key as that of
 * the site, and creates one if it has none. So one recovery sheet opens every backup.
 * @param replace makes the key of this instance the key of the site
 * @throws {BackupKeyMismatch}
 */
export async function findOrCreateSiteKey(
  ctx: Pick<Context, 'dialect' | 'now' | 'transaction'> & { backups: BackupParts },
  { replace = false } = {},
): Promise<BackupKey> {
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    const { plan } = await findPlan(ctx, tx)
    const isFree = replace || plan.recipient === ''
    const key = isFree ? await ctx.backups.key() : await ctx.backups.findKey()
    if (key && key.recipient === plan.recipient) return key
    if (!key || !isFree) throw new BackupKeyMismatch()
    const row = await findSettingRow(tx)
    const recipientSince = plan.recipient === '' ? '' : ctx.now().toISOString()
    const value = JSON.stringify({ ...JSON.parse(row?.value ?? '{}'), recipient: key.recipient, recipientSince })
    await saveSettingRow(tx, { version: 0, since: null, ...row, value })
    return key
  })
}
