import { statfs } from 'node:fs/promises'
import { dayMs } from '../../contract/limits.ts'
import { readReason, reasonText } from '../../i18n/reason.ts'
import { checkDatabase } from '../../platform/db/database.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import { findRetentionError } from '../backup/backup-run.queries.ts'
import { findBackupSettings } from '../backup/backup-settings.ts'
import { findBackupStatus } from '../backup/backups.ts'
import { targetLabel } from '../backup/run-backup.ts'
import { sumStoredBytes } from '../files/blob.queries.ts'
import { listDatabaseSizes } from './alarm.queries.ts'
import { type Check, hourMs, minuteMs } from './check.ts'

const slowMs = 1_000
const answerWithinMs = 5_000
/** A large database is checked to its end in its backup, by the proof. */
const integrityWithinMs = 10_000
/** The disk is low when its free space is below both of these values. */
const lowDisk = { share: 0.1, bytes: 5_000_000_000 }
const fullDisk = { share: 0.01, bytes: 200_000_000 }
const soonFullDays = 30
const backupLateMs = 2 * dayMs
const backupMissingMs = 8 * dayMs
/** A proof is made every night; one that cannot be made, such as without room on the disk, says nothing by itself. */
const proofLateMs = 3 * dayMs
const proofMissingMs = 7 * dayMs

export const database: Check = {
  everyMs: minuteMs,
  async run({ db, dialect }) {
    const began = performance.now()
    try {
      await withTimeout(checkDatabase({ db, dialect }), answerWithinMs)
    } catch {
      return { outcome: 'failed', text: 'databaseAway' }
    }
    const ms = Math.round(performance.now() - began)
    return ms > slowMs
      ? { outcome: 'attention', text: 'databaseSlow', values: { ms } }
      : { outcome: 'good', text: 'databaseGood' }
  },
}

export const integrity: Check = {
  everyMs: 6 * hourMs,
  async run({ db, dialect }) {
    const damage = await dialect.findDamage(db, { withinMs: integrityWithinMs })
    if (damage === undefined) return { outcome: 'unknown', text: 'integrityTooLarge' }
    return damage.length > 0
      ? { outcome: 'failed', text: 'integrityDamaged', values: { damage: damage.join('; ').slice(0, 300) } }
      : { outcome: 'good', text: 'integrityGood' }
  },
}

export const databaseSize: Check = {
  everyMs: 10 * minuteMs,
  async run({ db, dialect, dataDir, now }) {
    const bytes = await dialect.size(db)
    const [first] = await listDatabaseSizes(db)
    const days = first ? (now().getTime() - Date.parse(first.day)) / dayMs : 0
    const growth = first && days >= 1 ? bytes - first.bytes : 0
    const values = { size: { bytes }, growth: { bytes: growth }, days: Math.floor(days) }
    // PostgreSQL may be on another machine, whose free space is unknown.
    const { free } = dialect.name === 'sqlite' ? await freeSpaceIn(dataDir) : { free: Number.POSITIVE_INFINITY }
    // A backup needs about as much free space as the database takes.
    if (free < bytes) return { outcome: 'attention', text: 'databaseSizeTight', values }
    if (growth <= 0) return { outcome: 'good', text: 'databaseSizeGood', values }
    return free < (growth / days) * soonFullDays
      ? { outcome: 'attention', text: 'databaseSizeSoon', values }
      : { outcome: 'good', text: 'databaseSizeGrew', values }
  },
}

export const disk: Check = {
  everyMs: 5 * minuteMs,
  async run({ dataDir }) {
    const { free, total } = await freeSpaceIn(dataDir)
    const isBelow = (low: typeof lowDisk) => free < low.bytes && free / total < low.share
    const values = { free: { bytes: free } }
    if (isBelow(fullDisk)) return { outcome: 'failed', text: 'diskFull', values }
    return isBelow(lowDisk)
      ? { outcome: 'attention', text: 'diskLow', values }
      : { outcome: 'good', text: 'diskGood', values }
  },
}

async function freeSpaceIn(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

export const storage: Check = {
  everyMs: 10 * minuteMs,
  screen: '/admin/files',
  async run({ db, quotaBytes, uploads }) {
    try {
      await withTimeout(uploads.storage.list('health-check'), answerWithinMs)
    } catch {
      return { outcome: 'failed', text: 'storageAway' }
    }
    const used = await sumStoredBytes(db)
    if (quotaBytes === undefined) {
      return { outcome: 'good', text: 'storageWithoutQuota', values: { used: { bytes: used } } }
    }
    const values = { used: { bytes: used }, quota: { bytes: quotaBytes } }
    if (used >= quotaBytes) return { outcome: 'failed', text: 'storageFull', values }
    return used >= quotaBytes * 0.9
      ? { outcome: 'attention', text: 'storageLow', values }
      : { outcome: 'good', text: 'storageGood', values }
  },
}

export const backup: Check = {
  everyMs: 10 * minuteMs,
  screen: '/admin/backups',
  async run({ db, now, backups }) {
    const { state, at, proof, unprovedSince } = await findBackupStatus({ db, now, backups })
    const values = { at, proved: proof?.at }
    if (state === 'unproved') {
      return { outcome: 'failed', text: 'backupUnproved', values: { at: proof?.backupAt ?? at } }
    }
    if (state === 'failed') return { outcome: 'failed', text: at ? 'backupFailed' : 'backupNeverMade', values }
    const ageOf = (moment: Date) => now().getTime() - moment.getTime()
    if (at === undefined) {
      if (state === 'off') return { outcome: 'attention', text: 'backupNone' }
      return unprovedSince && ageOf(unprovedSince) > backupLateMs
        ? { outcome: 'failed', text: 'backupNeverMade' }
        : { outcome: 'unknown', text: 'backupPlanned' }
    }
    if (ageOf(at) > backupMissingMs) return { outcome: 'failed', text: 'backupMissing', values }
    const unprovedMs = unprovedSince ? ageOf(unprovedSince) : 0
    const unproved = proof?.outcome === 'proved' ? 'backupProofLate' : 'backupNeverProved'
    if (unprovedMs > proofMissingMs) return { outcome: 'failed', text: unproved, values }
    if (ageOf(at) > backupLateMs || state === 'late') return { outcome: 'attention', text: 'backupLate', values }
    if (unprovedMs > proofLateMs) return { outcome: 'attention', text: unproved, values }
    if (!proof) return { outcome: 'good', text: 'backupGood', values }
    return proof.outcome === 'proved'
      ? { outcome: 'good', text: 'backupProved', values }
      : { outcome: 'unknown', text: 'backupProofUnknown', values }
  },
}

/**
 * While an archive cannot be read, the files of older backups are not deleted, and the target of the backups fills up. Another
 * target, or the folder of another key, has nothing to remove yet.
 */
export const backupRetention: Check = {
  everyMs: 10 * minuteMs,
  screen: '/admin/backups',
  async run(ctx) {
    const { settings } = await findBackupSettings(ctx, ctx.db)
    const reason = await findRetentionError(ctx.db, { target: targetLabel(settings), since: settings.recipientSince })
    return reason === ''
      ? { outcome: 'good', text: 'backupRetentionGood' }
      : {
          outcome: 'failed',
          text: 'backupRetentionStopped',
          values: { reason: (locale) => reasonText(readReason(reason), locale) },
        }
  },
}
