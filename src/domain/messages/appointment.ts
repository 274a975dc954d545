import type { AppointmentSlot } from '../../contract/appointment.ts'
import { Refusal } from '../../contract/errors.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { siteTranslator } from '../../i18n/visitor-texts.ts'
import type { Context } from '../../platform/context.ts'
import { sign, verifySignature } from '../../platform/signature.ts'
import { findIdByReference, findMessage, type StoredMessage } from './message.queries.ts'

/** An appointment that a visitor proposed with a form. */
export interface ProposedAppointment extends AppointmentSlot {
  reference: number
  /** ISO instant. */
  proposedAt: string
}

/** The appointment that a message proposes; undefined when it proposes none. */
export function appointmentOf({
  reference,
  createdAt,
  form,
}: Pick<StoredMessage, 'reference' | 'createdAt'> & { form: Pick<StoredMessage['form'], 'answers'> }):
  | ProposedAppointment
  | undefined {
  const slot = form.answers.find((answer) => answer.slot)?.slot
  return slot && { ...slot, reference, proposedAt: createdAt.toISOString() }
}

/**
 * Makes a calendar file (RFC 5545) as an email attachment. Times are in UTC, and the same appointment always has the
 * same UID.
 */
export async function calendarFile(
  { sender }: Pick<SiteConfig, 'sender'>,
  { reference, start, end, proposedAt }: ProposedAppointment,
  summary: string,
): Promise<{ filename: string; contentType: string; content: string }> {
  // Loaded at the first appointment.
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import('ical-generator')
  const calendar = ical({ method: ICalCalendarMethod.PUBLISH })
  calendar.createEvent({
    id: `${reference}@${sender.email.slice(sender.email.lastIndexOf('@') + 1)}`,
    start: new Date(start),
    end: new Date(end),
    stamp: new Date(proposedAt),
    status: ICalEventStatus.TENTATIVE,
    summary,
  })
  return {
    filename: `${reference}.ics`,
    contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
    content: calendar.toString(),
  }
}

/** The path of the calendar file for the visitor, signed because knowing a reference must not give access. */
export const calendarPath = (ctx: Pick<Context, 'secret'>, reference: number): string =>
  `/api/forms/appointments/${reference}.${sign(ctx.secret, 'appointment', String(reference))}.ics`

/** The path of a message's calendar file; undefined when it proposes no appointment. */
export async function findCalendarPath(
  ctx: Pick<Context, 'db' | 'secret'>,
  reference: number,
): Promise<string | undefined> {
  const message = await findByReference(ctx, reference)
  return message && appointmentOf(message) && calendarPath(ctx, reference)
}

/** Makes the calendar file for a visitor. @param file the file name in `calendarPath` @throws {Refusal} `not_found` */
export async function getCalendar(ctx: Context, file: string): ReturnType<typeof calendarFile> {
  const [, reference = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})\.ics$/.exec(file) ?? []
  // `Number` removes leading zeros: the reference was signed without them.
  const isSigned = verifySignature(ctx.secret, 'appointment', String(Number(reference)), signature)
  const message = isSigned ? await findByReference(ctx, Number(reference)) : undefined
  const appointment = message && appointmentOf(message)
  if (!appointment) throw new Refusal('not_found')
  const t = siteTranslator(ctx.site, message.locale)
  return calendarFile(ctx.site, appointment, t('mail.answer.appointment', { brand: ctx.site.brand }))
}

async function findByReference({ db }: Pick<Context, 'db'>, reference: number): Promise<StoredMessage | undefined> {
  const id = await findIdByReference(db, reference)
  return id === undefined ? undefined : findMessage(db, id)
}
