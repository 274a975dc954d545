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
  /** From now on responds with this error to every email, or only to its `recipients` (RCPT TO); undefined accepts all again. */
  rejectWith(rejection: SmtpRejection | undefined): void
  /** Stops the server, so that connections are refused. */
  stop(): Promise<void>
  /** Listens on the same port again. */
  start(): Promise<void>
}

interface SmtpRejection {
  /** `451` for a temporary error, `550` for a permanent one. */
  code: number
  message: string
  /** The addresses that are refused; by default every email is, whatever its recipients. */
  recipients?: string[]
}

/** A real SMTP server on a free loopback port, which stores the emails that it receives, until the test ends. */
export async function aMailbox(): Promise<Mailbox> {
  const emails: ReceivedEmail[] = []
  let rejection: SmtpRejection | undefined
  let server: SMTPServer | undefined
  let port = 0

  const rejectionError = () => Object.assign(new Error(rejection?.message), { responseCode: rejection?.code })
  const createServer = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 200,
      onRcptTo: (address, _session, done) =>
        done(rejection?.recipients?.includes(address.address) ? rejectionError() : null),
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', async () => {
          if (rejection && !rejection.recipients) return done(rejectionError())
          const raw = Buffer.concat(chunks)
          const { mailFrom, rcptTo } = session.envelope
          emails.push({
            to: rcptTo.map(({ address }) => address),
            from: mailFrom ? mailFrom.address : '',
            raw: raw.toString('utf8'),
            parsed: await simpleParser(raw),
          })
          done()
        })
      },
    })

  const start = async () => {
    server = createServer()
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
    rejectWith(newRejection) {
      rejection = newRejection
    },
    stop,
    start,
  }
}
