import type { Generated } from 'kysely'

/** The revisions of the site configuration; the newest id is the current one. */
export interface ConfigRevisionTable {
  id: Generated<number>
  /** The text of the configuration file: JSON, in the format of its version. */
  config: string
  note: string
  created_at: string
  author_id: Generated<number | null>
  /** The author's name at that time; empty for an operator. */
  author_name: Generated<string>
  kind: Generated<'file' | 'changed' | 'imported' | 'restored'>
  /** For `restored`, the id of the restored revision. */
  restored_id: Generated<number | null>
  /** JSON: the names of the changed parts of the configuration. */
  parts: Generated<string>
}

/** One row. A change of content increments `version`, which locks the row, so that versions become visible in order. */
export interface CacheInvalidationVersionTable {
  id: number
  version: number
}

/** The cache tags that a version invalidated, one row for each. */
export interface CacheInvalidationTable {
  version: number
  tag: string
}

/** The number of views of a page in one language on one day; see `PageViewCounter`. */
export interface PageViewTable {
  /** The day in the time zone of Amsterdam, such as `2026-11-21`. */
  day: string
  /** The path without the language, such as `/disclaimer`. */
  path: string
  locale: string
  views: number
}

/** One total of one day; see `PageViewCounter`. */
export interface VisitTotalTable {
  /**
   * What is counted: page views by people (`view`), views by bots (`bot`), visits with `value` as their source,
   * campaign or device, or messages sent from the page with the path `value`.
   */
  kind: 'view' | 'bot' | 'source' | 'campaign' | 'device' | 'message'
  /** The day in the time zone of Amsterdam, as in `page_view`. */
  day: string
  /** For `campaign` a JSON list. Empty for `view` and `bot`, and for messages without a page. */
  value: string
  count: number
}

/** Persons and users that a restore of an older backup must not bring back; see `restore-journal.ts`. */
export interface RestoreJournalTable {
  kind: 'erased' | 'user_deleted'
  /** For `erased` the keyed hash of the email address, for `user_deleted` the id of the user. */
  subject: string
  /** When it was erased or deleted. */
  at: string
}

/** An open incident: a check that failed in the last run, or whose recovery has not been reported yet. */
export interface HealthIncidentTable {
  check_name: string
  /** The number of failed runs since the incident began; runs with another result do not reset it. */
  failed_runs: number
  /** The number of runs without a failure since the last failure; runs with an unknown result are not counted. */
  passed_runs: number
  /** When the alert was sent; null: not yet. */
  notified_at: string | null
}

/** One row: the settings and the state of health alerts. */
export interface HealthSettingTable {
  id: number
  /**
   * JSON: the ids of the users who get alerts. Not read while `version` is 1: then all who may get them, see
   * `getAlarmSetting`.
   */
  people: string
  /** The same for the monthly report. */
  reports: string
  /** The month, such as `2026-11`, in which `queueMonthlyReport` last queued or skipped the report on the previous month. */
  reported_month: string | null
  /** The URL that alerts are posted to. */
  webhook: string | null
  /** JSON: the events that are not yet delivered to the webhook. */
  pending: string
  /** JSON: `DatabaseSize[]`, one for each of the last days, oldest first. */
  sizes: Generated<string>
  /** When an instance last recorded a check run. */
  last_run_at: string | null
  /** The public address at which the site was last reached, and when. */
  reached_origin: Generated<string | null>
  reached_at: Generated<string | null>
  /** JSON: the results of the last check run, lists of `HealthLine` by language. Null before the first run. */
  lines: Generated<string | null>
  version: number
}
