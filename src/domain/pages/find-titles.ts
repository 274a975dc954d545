import type { FindTitles } from '../audit/list-changes.ts'
import { findPageRows } from './page.queries.ts'
import { subjectOf } from './show-page.ts'

/** What pages are called now, for who reads what they were called. */
export const findTitles: FindTitles = async (db, ids) =>
  new Map((await findPageRows(db, ids)).map((page) => [page.id, subjectOf(page).name]))
