import type { Generated } from 'kysely'

/** One row, with id 1. Without it no backup was ever set up. */
export interface BackupSettingTable {
  id: number
  /** As JSON; see `backup-settings.ts`. */
  value: string
  version: number
  /** Since when backups are made by the clock; null: they are not. */
  since: string | null
}

export interface BackupProofTable {
  id: Generated<number>
  made_by: 'clock' | 'hand' | 'command'
  /** `unknown`: nothing could be told about the backup. */
  state: 'waiting' | 'running' | 'proved' | 'failed' | 'unknown'
  /** Of the clock: the day in the time zone of the site. */
  day: string | null
  /** Where the backup stands, and its file there; empty until a process takes this up. */
  target: string
  name: string
  /** The moment of the backup. */
  backup_at: string | null
  asked_at: string
  started_at: string | null
  finished_at: string | null
  /** See `BackupRunTable`. */
  lease_until: string | null
  /** `Findings` of `prove-backup.ts` as JSON; empty until it ended. */
  findings: string
  /** In English. */
  reason: string
}

export interface BackupRunTable {
  id: Generated<number>
  made_by: 'clock' | 'hand' | 'command'
  /** `waiting`: until a process takes it up. */
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** Of the clock: the day in the time zone of the site, and which attempt of that day. */
  day: string | null
  attempt: number
  /** The folder, or the bucket with its server and prefix. */
  target: string
  /** The file there. */
  name: string
  asked_at: string
  started_at: string | null
  finished_at: string | null
  /** By the clock of the database: the process that makes it renews this. */
  lease_until: string | null
  bytes: number
  row_count: number
  file_count: number
  /** SHA-256 of the file, in hex. */
  hash: string
  error: string
  actor_id: number | null
  /** Empty for the program and for operators. */
  actor_name: string
}
