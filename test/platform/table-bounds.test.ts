import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Tables } from '../../src/platform/db/tables/index.ts'
import { aTestApp } from '../support/test-app.ts'

/**
 * What keeps each table from growing without end. `deleted`: rows go by themselves after a time; `limit`: a fixed number;
 * `with`: so many for each row of another table, and deleted with it; `staff`: by the work of people with an account, who
 * can delete it or whose history it is. What visitors cause is never bounded by staff alone.
 */
type Bound = { deleted: string } | { limit: string } | { with: keyof Tables; atMost: string } | { staff: string }

const bounds: Record<keyof Tables, Bound> = {
  account: { with: 'user', atMost: 'one for each way to sign in' },
  audit: { deleted: 'retention.auditDays' },
  backup_proof: { deleted: 'listRetentionMs of run-proof.ts' },
  backup_run: { deleted: 'with its backup, by the rule; others by listRetentionMs of run-backup.ts' },
  backup_setting: { limit: 'one row' },
  cache_invalidation: { limit: 'the last 1,000 versions' },
  cache_invalidation_version: { limit: 'one row' },
  config_revision: { staff: 'one for each saved change of the settings' },
  file: { staff: 'uploads, within STORAGE_QUOTA_MB' },
  file_count: { limit: 'the kinds of files for each folder' },
  file_folder: { with: 'file', atMost: 'one' },
  file_public_id: { with: 'file', atMost: 'one for each time that its content was replaced' },
  health_setting: { limit: 'one row' },
  health_incident: { limit: 'one row for each check' },
  known_browser: { deleted: 'retention.signInDays' },
  mail_setting: { limit: 'two rows' },
  mailbox_reading: { limit: 'one row' },
  message: { deleted: 'contact.retentionDays, that of its form, or spam.retentionDays' },
  message_file: { with: 'message', atMost: 'limits.attachments' },
  message_reply: { with: 'message', atMost: 'the replies that staff write' },
  outbox: { deleted: 'retention.emailDays, and with their message' },
  page: { staff: 'pages' },
  page_count: { limit: 'the states of pages for each collection' },
  page_draft: { with: 'page', atMost: 'one for each language and user' },
  page_entry_count: { limit: 'the categories of each collection and language' },
  page_entry: { with: 'page', atMost: 'one for each language' },
  page_file_usage: { with: 'page', atMost: 'the files in its blocks' },
  page_lock: { with: 'page', atMost: 'one for each block and role' },
  page_presence: { deleted: 'limits.presenceSeconds after the editor left' },
  page_review: { with: 'page', atMost: 'one for each language' },
  page_review_earlier: { with: 'page', atMost: 'one for each language and writer' },
  page_revision: { staff: 'one for each change of a page; its history' },
  page_search: { with: 'page', atMost: 'one for each language' },
  page_search_mark: { limit: 'one for each page that waits for the search index' },
  page_section_usage: { with: 'page', atMost: 'the sections in its blocks' },
  page_seed: { limit: 'limits.configPages' },
  page_text: { with: 'page', atMost: 'one for each language' },
  page_view: { deleted: 'retention.statisticsDays' },
  passkey: { with: 'user', atMost: 'those that the user adds' },
  redirect: { staff: 'addresses of pages that were moved' },
  restore_journal: { staff: 'one for each person erased, user blocked and so on' },
  role: { staff: 'roles' },
  role_right: { with: 'role', atMost: 'the rights' },
  section: { limit: 'limits.sections' },
  section_part: { with: 'section', atMost: 'limits.sectionsInSection' },
  section_text: { with: 'section', atMost: 'one for each language' },
  section_revision: { staff: 'one for each change of a section; its history' },
  session: { deleted: 'limits.sessionDays after the last request' },
  sign_in_attempt: { deleted: 'limits.signInFailureWindowMs after the last one' },
  stored_blob: { with: 'file', atMost: 'what garbage collection leaves' },
  two_factor: { with: 'user', atMost: 'one' },
  used_code: { deleted: 'when the code is not valid any more' },
  user: { staff: 'users' },
  user_count: { limit: 'two rows for each role' },
  user_link: { deleted: 'when the link has expired' },
  verification: { deleted: 'when the step has expired' },
  visit_total: { deleted: 'retention.statisticsDays, limits.statisticsValues of a kind on a day' },
}

test('each table of the database has a known bound on its growth', async () => {
  const { db } = await aTestApp({ startJobs: false })
  const { rows } = await sql<{ name: string }>`select name from pragma_table_list
    where schema = 'main' and type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%' order by name`.execute(
    db,
  )
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(bounds).sort())
})
