import type { Generated } from 'kysely'

/** The site configuration as staff changed it, newest id in force. */
export interface ConfigRevisionTable {
  id: Generated<number>
  config: string
  note: string
  created_at: string
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
