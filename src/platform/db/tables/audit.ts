import type { Generated, GeneratedAlways } from 'kysely'

/** The audit log. */
export interface AuditTable {
  id: Generated<number>
  at: string
  actor_id: number | null
  /** The user's name at that time: the user may have been deleted since. */
  actor_name: string
  /** `user.created`, `role.updated` … */
  action: string
  subject_type: string
  subject_id: string | null
  subject_name: string
  /** JSON: the changed fields only, without secrets. */
  before: string | null
  after: string | null
  /** Names of the actor and the subject, for search; the database generates it. */
  search_text: GeneratedAlways<string>
}
