import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { closeAfterTest } from './close-after-test.ts'
import { waitUntil } from './wait-until.ts'

export interface ReceivedEmail {
  /** The recipients of the SMTP envelope. */
  to: string[]
  from: string
  raw: string
  parsed: ParsedMail
}

export interface Mailbox {
  host: string
  port: number
  /** For the setting SMTP_URL. */
  url: string
  emails: ReceivedEmail[]
  /** Waits for this number of emails. @returns all received emails, in order of arrival */
  received(count: number, withinMs?: number): Promise<ReceivedEmail[]>
  /** Responds with this error to every email, or with `recipient` to these recipients (RCPT TO); undefined accepts them again. */
  rejectWith(answer: SmtpRejection | undefined): void
  /** Refuses connections, like a machine that is off. */
  stop(): Promise<void>
  /** Listens on the same port again. */
  start(): Promise<void>
}

interface SmtpRejection {
  /** `451` for a temporary error, `550` for a permanent one. */
  code: number
  message: string
  recipients?: string[]
}

/** A real SMTP server on a free loopback port. */
export async function aMailbox(): Promise<Mailbox> {
  const emails: ReceivedEmail[] = []
  let refusal: SmtpRejection | undefined
  let server: SMTPServer | undefined
  let port = 0

  const refused = () => Object.assign(new Error(refusal?.message), { responseCode: refusal?.code })
  const create = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 200,
      onRcptTo: (address, _session, done) => done(refusal?.recipients?.includes(address.address) ? refused() : null),
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', async () => {
          if (refusal && !refusal.recipients) return done(refused())
          const raw = Buffer.concat(chunks)
          const { mailFrom, rcptTo } = session.envelope
          emails.push({
            to: rcptTo.map((one) => one.address),
            from: mailFrom ? mailFrom.address : '',
            raw: raw.toString('utf8'),
            parsed: await simpleParser(raw),
          })
          done()
        })
      },
    })

  const start = async () => {
    server = create()
    // A client may disconnect at any time.
    server.on('error', () => {})
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    port = (server.server.address() as AddressInfo).port
  }
  const stop = () =>
    new Promise<void>((resolve) => {
      if (!server) return resolve()
      server.close(() => resolve())
      server = undefined
    })

  await start()
  closeAfterTest(stop)
  return {
    host: '127.0.0.1',
    port,
    url: `smtp://127.0.0.1:${port}`,
    emails,
    received: (count, withinMs) => waitUntil(() => emails.length >= count && emails, `email number ${count}`, withinMs),
    rejectWith(answer) {
      refusal = answer
    },
    stop,
    start,
  }
}
