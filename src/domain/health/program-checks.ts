import { listMigrations } from '../../platform/db/database.ts'
import { migrationNames } from '../../platform/db/migrations/migration-names.ts'
import { nextScheduledAt } from '../pages/publish-scheduled.ts'
import { type Check, minutes } from './check.ts'

const scheduleLateMs = 10 * minutes
const clockOffMs = 5_000
const clockFarOffMs = 60_000
const nodeMajor = 26

export const schedules: Check = {
  everyMs: minutes,
  screen: '/admin/pages',
  async run({ db, now }) {
    const at = await nextScheduledAt({ db })
    return at && now().getTime() - at.getTime() > scheduleLateMs
      ? { outcome: 'failed', text: 'schedulesLate', values: { at } }
      : { outcome: 'good', text: 'schedulesGood' }
  },
}

export const links: Check = {
  everyMs: 60 * minutes,
  screen: '/admin/links',
  async run({ countDeadLinks }) {
    if (!countDeadLinks) return { outcome: 'unknown', text: 'linksNotChecked' }
    const count = await countDeadLinks()
    return count > 0
      ? { outcome: 'attention', text: 'linksDead', values: { count } }
      : { outcome: 'good', text: 'linksGood' }
  },
}

export const version: Check = {
  everyMs: minutes,
  async run({ db }) {
    const found = await listMigrations(db)
    const known = new Set<string>(migrationNames)
    const unknown = found.filter((name) => !known.has(name))
    if (unknown.length > 0) return { outcome: 'failed', text: 'versionOlder', values: { names: unknown.join(', ') } }
    const node = process.versions.node
    return Number.parseInt(node, 10) === nodeMajor
      ? { outcome: 'good', text: 'versionGood', values: { node } }
      : { outcome: 'attention', text: 'versionNode', values: { node, wanted: String(nodeMajor) } }
  },
}

export const clock: Check = {
  everyMs: minutes,
  async run({ db, dialect, clockJump }) {
    const before = Date.now()
    const there = (await dialect.clock(db)).getTime()
    // The answer was given somewhere between the question and its arrival.
    const off = there < before ? before - there : Math.max(there - Date.now(), 0)
    const seconds = Math.round(off / 1_000)
    if (off > clockFarOffMs) return { outcome: 'failed', text: 'clockOff', values: { seconds } }
    if (off > clockOffMs) return { outcome: 'attention', text: 'clockOff', values: { seconds } }
    return clockJump === 0
      ? { outcome: 'good', text: 'clockGood' }
      : { outcome: 'attention', text: 'clockJumped', values: { seconds: clockJump } }
  },
}
