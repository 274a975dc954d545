import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { ConfigRevisionTable, ContentChangeTable, ContentClockTable } from './content.ts'
import type { MessageTable } from './messages.ts'
import type { OutboxTable } from './outbox.ts'

/** Every table by its name in the database. */
export interface Tables {
  message: MessageTable
  outbox: OutboxTable
  config_revision: ConfigRevisionTable
  content_clock: ContentClockTable
  content_change: ContentChangeTable
}

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>
