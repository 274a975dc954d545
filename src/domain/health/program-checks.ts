import type { Locale } from '../../contract/locales.ts'
import { reasonText } from '../../i18n/reason.ts'
import { readLastUpdate } from '../../platform/config/last-update.ts'
import { readRelease } from '../../platform/config/release.ts'
import { findNewerMigrations, listMigrations } from '../../platform/db/migrations/index.ts'
import { nextScheduledAt } from '../pages/publish-scheduled.ts'
import { getAlarmSetting, listAlarmRecipients } from './alarm.queries.ts'
import { type Check, hourMs, minuteMs } from './check.ts'

const scheduleLateMs = 10 * minuteMs
const clockOffMs = 5_000
const clockFarOffMs = 60_000
const wantedNodeMajor = 26
/** An update that failed is reported for this time. */
const failedUpdateReportedMs = 24 * hourMs
/** A purge that fails is tried again every few seconds. */
const cdnLateMs = 10 * minuteMs
const cdnFailedMs = hourMs

export const schedules: Check = {
  everyMs: minuteMs,
  screen: '/admin/pages',
  async run({ db, now }) {
    const at = await nextScheduledAt({ db })
    return at && now().getTime() - at.getTime() > scheduleLateMs
      ? { outcome: 'failed', text: 'schedulesLate', values: { at } }
      : { outcome: 'good', text: 'schedulesGood' }
  },
}

export const links: Check = {
  everyMs: 60 * minuteMs,
  screen: '/admin/links',
  async run({ countDeadLinks }) {
    if (!countDeadLinks) return { outcome: 'unknown', text: 'programNeeded' }
    const count = await countDeadLinks()
    return count > 0
      ? { outcome: 'attention', text: 'linksDead', values: { count } }
      : { outcome: 'good', text: 'linksGood' }
  },
}

/** Whether the CDN accepts purges. Without them it serves old pages for up to ten minutes, and old uploads longer. */
export const cdn: Check = {
  everyMs: minuteMs,
  isWanted: ({ cdn }) => cdn !== undefined,
  async run({ cdnFailingSince, now }) {
    if (!cdnFailingSince) return { outcome: 'unknown', text: 'programNeeded' }
    const at = cdnFailingSince()
    const ms = at ? now().getTime() - at.getTime() : 0
    if (ms < cdnLateMs) return { outcome: 'good', text: 'cdnGood' }
    return { outcome: ms < cdnFailedMs ? 'attention' : 'failed', text: 'cdnFailing', values: { at } }
  },
}

export const version: Check = {
  everyMs: minuteMs,
  async run({ db, dataDir, now }) {
    const { unusable } = findNewerMigrations(await listMigrations(db))
    if (unusable.length > 0) return { outcome: 'failed', text: 'versionOlder', values: { names: unusable.join(', ') } }
    const { version: runningVersion } = readRelease(process.cwd())
    const lastUpdate = readLastUpdate(dataDir)
    const { why, ...updateValues } = lastUpdate ?? {}
    const translatedReason = why && ((locale: Locale) => reasonText(why, locale))
    const values = {
      version: runningVersion,
      node: process.versions.node,
      ...updateValues,
      at: lastUpdate && new Date(lastUpdate.at),
      // Replaces the English `reason` of the update.
      ...(translatedReason && { reason: translatedReason }),
    }
    const isRecent = lastUpdate && now().getTime() - Date.parse(lastUpdate.at) < failedUpdateReportedMs
    if (isRecent && lastUpdate.outcome !== 'kept') {
      return { outcome: 'failed', text: lastUpdate.outcome === 'undone' ? 'updateUndone' : 'updateStuck', values }
    }
    if (Number.parseInt(values.node, 10) !== wantedNodeMajor) {
      return { outcome: 'attention', text: 'versionNode', values: { ...values, wanted: String(wantedNodeMajor) } }
    }
    return { outcome: 'good', text: lastUpdate?.outcome === 'kept' ? 'versionUpdated' : 'versionGood', values }
  },
}

/** Compares the clock of the program with that of the database, and reports a jump of the former. */
export const clock: Check = {
  everyMs: minuteMs,
  async run({ db, dialect, clockJump }) {
    const beforeMs = Date.now()
    const databaseMs = (await dialect.clock(db)).getTime()
    const afterMs = Date.now()
    // The database read its clock between `beforeMs` and `afterMs`, so within that interval there is no difference.
    const differenceMs = databaseMs < beforeMs ? beforeMs - databaseMs : Math.max(databaseMs - afterMs, 0)
    const seconds = Math.round(differenceMs / 1_000)
    if (differenceMs > clockFarOffMs) return { outcome: 'failed', text: 'clockOff', values: { seconds } }
    if (differenceMs > clockOffMs) return { outcome: 'attention', text: 'clockOff', values: { seconds } }
    return clockJump === 0
      ? { outcome: 'good', text: 'clockGood' }
      : { outcome: 'attention', text: 'clockJumped', values: { seconds: clockJump } }
  },
}

/** Whether anybody gets an alert when something fails. */
export const alarms: Check = {
  everyMs: minuteMs,
  screen: '/admin/health',
  async run({ db }) {
    const { people, webhook } = await getAlarmSetting(db)
    const { length: count } = await listAlarmRecipients(db, people)
    if (count > 0) return { outcome: 'good', text: 'alarmsGood', values: { count } }
    return webhook === null
      ? { outcome: 'attention', text: 'alarmsNobody' }
      : { outcome: 'good', text: 'alarmsWebhook' }
  },
}
