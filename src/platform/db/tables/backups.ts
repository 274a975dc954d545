import type { Generated } from 'kysely'

/** One row, with id 1; without a row the default settings apply. */
export interface BackupSettingTable {
  id: number
  /** JSON; see `backup-settings.ts`. */
  value: string
  version: number
  /** When the schedule started; null: backups are not scheduled. */
  since: string | null
}

/** Proofs: test restores of a backup, which show that it can be used. */
export interface BackupProofTable {
  id: Generated<number>
  /** Started by the schedule (`clock`), by a user in the admin (`hand`), or by a command of an operator. */
  made_by: 'clock' | 'hand' | 'command'
  /** `unknown`: the proof could not be completed, so it says nothing about the backup. */
  state: 'waiting' | 'running' | 'proved' | 'failed' | 'unknown'
  /** For scheduled proofs, the day in the time zone of the site. */
  day: string | null
  /** The target of the backup and its file name there; empty until a process claims the proof. */
  target: string
  name: string
  /** When the backup was started. */
  backup_at: string | null
  asked_at: string
  started_at: string | null
  finished_at: string | null
  /** See `BackupRunTable`. */
  lease_until: string | null
  /** `ProofFindings` as JSON; empty until the proof has finished. */
  findings: string
  /** Why it failed, in the format of `storedReason`. */
  reason: string
}

export interface BackupRunTable {
  id: Generated<number>
  made_by: 'clock' | 'hand' | 'command'
  /** `waiting`: queued, not yet claimed by a process. */
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** For scheduled backups, the day in the time zone of the site, and the attempt on that day. */
  day: string | null
  attempt: number
  /** The folder, or the bucket with its server and prefix. */
  target: string
  /** The file name of the archive at the target. */
  name: string
  asked_at: string
  started_at: string | null
  finished_at: string | null
  /** The end of the lease, by the clock of the database; the running process renews it. */
  lease_until: string | null
  bytes: number
  row_count: number
  file_count: number
  /** SHA-256 of the file, in hex. */
  hash: string
  error: string
  /** Why files of older backups could not be removed after this one. */
  retention_error: Generated<string>
  /** The end of the lease of a process that reads the archive to restore something from it. */
  reading_until: Generated<string | null>
  actor_id: number | null
  /** Empty for scheduled backups and for operators. */
  actor_name: string
}
