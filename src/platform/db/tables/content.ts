import type { Generated } from 'kysely'

/** The site configuration as staff changed it, newest id in force. */
export interface ConfigRevisionTable {
  id: Generated<number>
  config: string
  note: string
  created_at: string
  author_id: Generated<number | null>
  /** As they were called then; empty for an operator. */
  author_name: Generated<string>
  kind: Generated<'file' | 'changed' | 'imported' | 'restored'>
  /** The revision that was put in force again. */
  restored_id: Generated<number | null>
  /** Names of the parts that it changed, as JSON. */
  parts: Generated<string>
}

/** One row; raised by every change of content, under its lock, so that numbers appear in order. */
export interface ContentClockTable {
  id: number
  version: number
}

/** What each raise of the clock touched. */
export interface ContentChangeTable {
  version: number
  tag: string
}
