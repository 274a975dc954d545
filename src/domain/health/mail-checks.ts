import { dayMs } from '../../contract/limits.ts'
import { type Check, hours, minutes } from './check.ts'
import { findMailTrouble } from './health.queries.ts'

/** An email that waits longer than this was refused several times. */
const waitsTooLongMs = hours
const failedWithinMs = 7 * dayMs

export const mailServer: Check = {
  everyMs: minutes,
  async run({ sendsMail }) {
    return sendsMail ? { outcome: 'good', text: 'mailServerGood' } : { outcome: 'attention', text: 'mailServerMissing' }
  },
}

export const emails: Check = {
  everyMs: minutes,
  screen: '/admin/mail',
  async run({ db, now }) {
    const { waitingSince, failed } = await findMailTrouble(db, { since: new Date(now().getTime() - failedWithinMs) })
    if (waitingSince && now().getTime() - waitingSince.getTime() > waitsTooLongMs) {
      return { outcome: 'failed', text: 'emailsWaiting', values: { at: waitingSince } }
    }
    return failed > 0
      ? { outcome: 'attention', text: 'emailsFailed', values: { count: failed } }
      : { outcome: 'good', text: 'emailsGood' }
  },
}
