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

const databaseSlowMs = 1_000
const answerWithinMs = 5_000
/** Too short for a large database, which is checked completely in the nightly proof (the test restore of a backup). */
const integrityWithinMs = 10_000
/** The disk is low when its free space is below both of these values; `share` is that of the whole disk. */
const lowDisk = { share: 0.1, bytes: 5_000_000_000 }
/** Likewise for a full disk. */
const fullDisk = { share: 0.01, bytes: 200_000_000 }
/** A warning is given if the disk, at the rate at which the database grows, will be full within this time. */
const soonFullDays = 30
const storageLowShare = 0.9
const backupLateMs = 2 * dayMs
const backupMissingMs = 8 * dayMs
/** A proof is made every night. A single one that could not be made, for example because the disk is full, is no problem. */
const proofLateMs = 3 * dayMs
const proofMissingMs = 7 * dayMs

export const database: Check = {
  everyMs: minuteMs,
  async run({ db, dialect }) {
    const startedAt = performance.now()
    try {
      await withTimeout(checkDatabase({ db, dialect }), answerWithinMs)
    } catch {
      return { outcome: 'failed', text: 'databaseAway' }
    }
    const ms = Math.round(performance.now() - startedAt)
    return ms > databaseSlowMs
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
    const [oldest] = await listDatabaseSizes(db)
    const days = oldest ? (now().getTime() - Date.parse(oldest.day)) / dayMs : 0
    const growth = oldest && days >= 1 ? bytes - oldest.bytes : 0
    const values = { size: { bytes }, growth: { bytes: growth }, days: Math.floor(days) }
    // PostgreSQL may be on another machine, whose free space is unknown.
    const { free } = dialect.name === 'sqlite' ? await freeSpaceIn(dataDir) : { free: Number.POSITIVE_INFINITY }
    // A backup needs about as much free space as the database takes.
    if (free < bytes) return { outcome: 'attention', text: 'databaseSizeTight', values }
    if (growth <= 0) return { outcome: 'good', text: 'databaseSizeGood', values }
    const growthPerDay = growth / days
    return free < growthPerDay * soonFullDays
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

/** The free and the total space, in bytes, of the disk that has this folder. */
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
    return used >= quotaBytes * storageLowShare
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
    const ageOf = (instant: Date) => now().getTime() - instant.getTime()
    if (at === undefined) {
      if (state === 'off') return { outcome: 'attention', text: 'backupNone' }
      return unprovedSince && ageOf(unprovedSince) > backupLateMs
        ? { outcome: 'failed', text: 'backupNeverMade' }
        : { outcome: 'unknown', text: 'backupPlanned' }
    }
    if (ageOf(at) > backupMissingMs) return { outcome: 'failed', text: 'backupMissing', values }
    const unprovedMs = unprovedSince ? ageOf(unprovedSince) : 0
    const unprovedText = proof?.outcome === 'proved' ? 'backupProofLate' : 'backupNeverProved'
    if (unprovedMs > proofMissingMs) return { outcome: 'failed', text: unprovedText, values }
    if (ageOf(at) > backupLateMs || state === 'late') return { outcome: 'attention', text: 'backupLate', values }
    if (unprovedMs > proofLateMs) return { outcome: 'attention', text: unprovedText, values }
    if (!proof) return { outcome: 'good', text: 'backupGood', values }
    return proof.outcome === 'proved'
      ? { outcome: 'good', text: 'backupProved', values }
      : { outcome: 'unknown', text: 'backupProofUnknown', values }
  },
}

/**
 * Whether files that no backup needs any more are removed from the backup target. While the archive of a backup cannot be
 * read, they are not, and the target fills up. Only backups at the current target and with the current key are considered.
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
