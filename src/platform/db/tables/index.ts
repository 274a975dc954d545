import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { AuditTable } from './audit.ts'
import type { BackupProofTable, BackupRunTable, BackupSettingTable } from './backups.ts'
import type { FileCountTable, FileFolderTable, FilePublicIdTable, FileTable, StoredBlobTable } from './files.ts'
import type {
  MailboxReadingTable,
  MailSettingTable,
  MessageFileTable,
  MessageReplyTable,
  MessageTable,
  OutboxTable,
} from './messages.ts'
import type {
  PageCountTable,
  PageDraftTable,
  PageEntryCountTable,
  PageEntryTable,
  PageFileUsageTable,
  PageLockTable,
  PagePresenceTable,
  PageReviewEarlierTable,
  PageReviewTable,
  PageRevisionTable,
  PageSearchMarkTable,
  PageSearchTable,
  PageSectionUsageTable,
  PageSeedTable,
  PageTable,
  PageTextTable,
  RedirectTable,
  SectionPartTable,
  SectionRevisionTable,
  SectionTable,
  SectionTextTable,
} from './pages.ts'
import type {
  AccountTable,
  KnownBrowserTable,
  PasskeyTable,
  RoleRightTable,
  RoleTable,
  SessionTable,
  SignInAttemptTable,
  TwoFactorTable,
  UsedCodeTable,
  UserCountTable,
  UserLinkTable,
  UserTable,
  VerificationTable,
} from './people.ts'
import type {
  CacheInvalidationTable,
  CacheInvalidationVersionTable,
  ConfigRevisionTable,
  HealthIncidentTable,
  HealthSettingTable,
  PageViewTable,
  RestoreJournalTable,
  VisitTotalTable,
} from './site.ts'

export interface Tables {
  mail_setting: MailSettingTable
  mailbox_reading: MailboxReadingTable
  message: MessageTable
  message_file: MessageFileTable
  message_reply: MessageReplyTable
  outbox: OutboxTable
  config_revision: ConfigRevisionTable
  cache_invalidation_version: CacheInvalidationVersionTable
  cache_invalidation: CacheInvalidationTable
  account: AccountTable
  audit: AuditTable
  file: FileTable
  file_public_id: FilePublicIdTable
  file_count: FileCountTable
  file_folder: FileFolderTable
  health_setting: HealthSettingTable
  health_incident: HealthIncidentTable
  known_browser: KnownBrowserTable
  page: PageTable
  page_count: PageCountTable
  page_draft: PageDraftTable
  page_entry: PageEntryTable
  page_entry_count: PageEntryCountTable
  page_file_usage: PageFileUsageTable
  page_presence: PagePresenceTable
  page_review: PageReviewTable
  page_review_earlier: PageReviewEarlierTable
  page_revision: PageRevisionTable
  page_search: PageSearchTable
  page_search_mark: PageSearchMarkTable
  page_section_usage: PageSectionUsageTable
  page_lock: PageLockTable
  page_seed: PageSeedTable
  page_text: PageTextTable
  page_view: PageViewTable
  passkey: PasskeyTable
  redirect: RedirectTable
  restore_journal: RestoreJournalTable
  backup_proof: BackupProofTable
  backup_setting: BackupSettingTable
  backup_run: BackupRunTable
  role: RoleTable
  role_right: RoleRightTable
  section: SectionTable
  section_part: SectionPartTable
  section_revision: SectionRevisionTable
  section_text: SectionTextTable
  session: SessionTable
  sign_in_attempt: SignInAttemptTable
  stored_blob: StoredBlobTable
  two_factor: TwoFactorTable
  used_code: UsedCodeTable
  user: UserTable
  user_count: UserCountTable
  user_link: UserLinkTable
  verification: VerificationTable
  visit_total: VisitTotalTable
}

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>
/** For queries that run in a transaction or outside one. */
export type Db = Database | Transaction
