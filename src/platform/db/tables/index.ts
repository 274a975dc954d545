import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { ConfigRevisionTable, ContentChangeTable, ContentClockTable } from './content.ts'
import type { FileAddressTable, FileCountTable, FileFolderTable, FileTable, StoredBlobTable } from './files.ts'
import type { MessageReplyTable, MessageTable } from './messages.ts'
import type { OutboxTable } from './outbox.ts'
import type {
  PageCountTable,
  PageDraftStepTable,
  PageDraftTable,
  PageDraftTabTable,
  PagePlaceTable,
  PagePresenceTable,
  PageRevisionTable,
  PageSeedTable,
  PageTable,
  PageTextTable,
  RedirectTable,
} from './pages.ts'
import type {
  AccountTable,
  AuditTable,
  KnownPlaceTable,
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
import type { PageViewTable } from './views.ts'

/** Every table by its name in the database. */
export interface Tables {
  message: MessageTable
  message_reply: MessageReplyTable
  outbox: OutboxTable
  config_revision: ConfigRevisionTable
  content_clock: ContentClockTable
  content_change: ContentChangeTable
  account: AccountTable
  audit: AuditTable
  file: FileTable
  file_address: FileAddressTable
  file_count: FileCountTable
  file_folder: FileFolderTable
  known_place: KnownPlaceTable
  page: PageTable
  page_count: PageCountTable
  page_draft: PageDraftTable
  page_draft_step: PageDraftStepTable
  page_draft_tab: PageDraftTabTable
  page_place: PagePlaceTable
  page_presence: PagePresenceTable
  page_revision: PageRevisionTable
  page_seed: PageSeedTable
  page_text: PageTextTable
  page_view: PageViewTable
  passkey: PasskeyTable
  redirect: RedirectTable
  role: RoleTable
  role_right: RoleRightTable
  session: SessionTable
  sign_in_attempt: SignInAttemptTable
  stored_blob: StoredBlobTable
  two_factor: TwoFactorTable
  used_code: UsedCodeTable
  user: UserTable
  user_count: UserCountTable
  user_link: UserLinkTable
  verification: VerificationTable
}

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>
