import type { TestApp } from './test-app.ts'

/** The actions in the audit log, oldest first, and the whole log as one text to search for secrets. */
export async function readAuditLog(site: TestApp): Promise<{ actions: string[]; whole: string }> {
  const rows = await site.db.selectFrom('audit').selectAll().orderBy('id').execute()
  return { actions: rows.map(({ action }) => action), whole: JSON.stringify(rows) }
}
