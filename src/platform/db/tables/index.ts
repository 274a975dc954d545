import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type * as audit from './audit.ts'
import type * as backups from './backups.ts'
import type * as files from './files.ts'
import type * as messages from './messages.ts'
import type * as pages from './pages.ts'
import type * as people from './people.ts'
import type * as site from './site.ts'

export interface Tables {
  mail_setting: messages.MailSettingTable
  mailbox_reading: messages.MailboxReadingTable
  message: messages.MessageTable
  message_file: messages.MessageFileTable
  message_reply: messages.MessageReplyTable
  outbox: messages.OutboxTable
  config_revision: site.ConfigRevisionTable
  cache_invalidation_version: site.CacheInvalidationVersionTable
  cache_invalidation: site.CacheInvalidationTable
  account: people.AccountTable
  audit: audit.AuditTable
  file: files.FileTable
  file_public_id: files.FilePublicIdTable
  file_count: files.FileCountTable
  file_folder: files.FileFolderTable
  health_setting: site.HealthSettingTable
  health_incident: site.HealthIncidentTable
  known_browser: people.KnownBrowserTable
  page: pages.PageTable
  page_count: pages.PageCountTable
  page_draft: pages.PageDraftTable
  page_entry: pages.PageEntryTable
  page_entry_count: pages.PageEntryCountTable
  page_file_usage: pages.PageFileUsageTable
  page_presence: pages.PagePresenceTable
  page_review: pages.PageReviewTable
  page_review_earlier: pages.PageReviewEarlierTable
  page_revision: pages.PageRevisionTable
  page_search: pages.PageSearchTable
  page_search_mark: pages.PageSearchMarkTable
  page_section_usage: pages.PageSectionUsageTable
  page_lock: pages.PageLockTable
  page_seed: pages.PageSeedTable
  page_text: pages.PageTextTable
  page_view: site.PageViewTable
  passkey: people.PasskeyTable
  redirect: pages.RedirectTable
  restore_journal: site.RestoreJournalTable
  backup_proof: backups.BackupProofTable
  backup_setting: backups.BackupSettingTable
  backup_run: backups.BackupRunTable
  role: people.RoleTable
  role_right: people.RoleRightTable
  section: pages.SectionTable
  section_part: pages.SectionPartTable
  section_revision: pages.SectionRevisionTable
  section_text: pages.SectionTextTable
  session: people.SessionTable
  sign_in_attempt: people.SignInAttemptTable
  stored_blob: files.StoredBlobTable
  two_factor: people.TwoFactorTable
  used_code: people.UsedCodeTable
  user: people.UserTable
  user_count: people.UserCountTable
  user_link: people.UserLinkTable
  verification: people.VerificationTable
  visit_total: site.VisitTotalTable
}

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>
/** For queries that run in a transaction or outside one. */
export type Db = Database | Transaction
