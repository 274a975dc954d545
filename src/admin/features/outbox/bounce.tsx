import type { OutboxEmail } from '../../../contract/outbox.ts'
import { Moment } from '../../components/dates.tsx'
import { Translated } from '../../components/translated.tsx'

/** A mail server's report about an email that it could not deliver. */
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
