import type { AppointmentSlot } from '../../contract/appointment.ts'
import { Refusal } from '../../contract/errors.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { siteTranslator } from '../../i18n/visitor-texts.ts'
import type { Context } from '../../platform/context.ts'
import { isSignature, sign } from '../../platform/signature.ts'
import { findIdByReference, findMessage, type StoredMessage } from './message.queries.ts'

/** The appointment that a message proposes. */
export interface ProposedAppointment extends AppointmentSlot {
  reference: number
  /** ISO instant. */
  proposedAt: string
}

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

/** A calendar file (RFC 5545). Times are in UTC, and the same appointment always has the same UID. */
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

/** The address of the calendar file for the visitor, signed because a reference alone gives access to nothing. */
export const calendarPath = (ctx: Pick<Context, 'secret'>, reference: number): string =>
  `/api/forms/appointments/${reference}.${sign(ctx.secret, 'appointment', String(reference))}.ics`

/** Undefined when the message proposes no appointment. */
export async function findCalendarPath(
  ctx: Pick<Context, 'db' | 'secret'>,
  reference: number,
): Promise<string | undefined> {
  const found = await findByReference(ctx, reference)
  return found && appointmentOf(found) && calendarPath(ctx, reference)
}

/** @param file the last part of `calendarPath` @throws {Refusal} `not_found` */
export async function getCalendar(ctx: Context, file: string): ReturnType<typeof calendarFile> {
  const [, reference = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})\.ics$/.exec(file) ?? []
  // Without leading zeros, as it was signed.
  const isSigned = isSignature(ctx.secret, 'appointment', String(Number(reference)), signature)
  const found = isSigned ? await findByReference(ctx, Number(reference)) : undefined
  const appointment = found && appointmentOf(found)
  if (!appointment) throw new Refusal('not_found')
  const t = siteTranslator(ctx.site, found.locale)
  return calendarFile(ctx.site, appointment, t('mail.answer.appointment', { brand: ctx.site.brand }))
}

async function findByReference({ db }: Pick<Context, 'db'>, reference: number): Promise<StoredMessage | undefined> {
  const id = await findIdByReference(db, reference)
  return id === undefined ? undefined : findMessage(db, id)
}
