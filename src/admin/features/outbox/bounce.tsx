import type { OutboxEmail } from '../../../contract/outbox.ts'
import { Moment } from '../../components/dates.tsx'
import { Translated } from '../../components/translated.tsx'

/** A mail server's report of an email that failed or is delayed, with the status code unless the reason contains it. */
export function Bounce({ action, status, reason, at }: NonNullable<OutboxEmail['bounce']>) {
  return (
    <div>
      <strong>
        <Translated text={`outbox.bounce.${action}`} date={<Moment at={at} />} />
      </strong>
      <p className="flush quiet small">
        <bdi dir="ltr">{reason.includes(status) ? reason : `${status} ${reason}`}</bdi>
      </p>
    </div>
  )
}
