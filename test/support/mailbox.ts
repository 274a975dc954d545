import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { closeAtEnd } from './closing.ts'
import { until } from './until.ts'

export interface Letter {
  /** Envelope: who the server was told to deliver to. */
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
  letters: Letter[]
  /** Waits for the letters that must be there. @returns all that came, in the order in which they came */
  received(count: number, withinMs?: number): Promise<Letter[]>
  /** From now on answers this to every letter, `recipient` (RCPT TO) to those named; undefined takes them again. */
  refuse(answer: Refusal | undefined): void
  /** Connections are refused, as by a machine that is off. */
  stop(): Promise<void>
  /** Back on the same port. */
  start(): Promise<void>
}

interface Refusal {
  /** `451` for "later", `550` for "never". */
  code: number
  message: string
  recipients?: string[]
}

/** A real SMTP server on a free loopback port. */
export async function aMailbox(): Promise<Mailbox> {
  const letters: Letter[] = []
  let refusal: Refusal | undefined
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
          letters.push({
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
    // A client that leaves in the middle is the client's matter.
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
  closeAtEnd(stop)
  return {
    host: '127.0.0.1',
    port,
    url: `smtp://127.0.0.1:${port}`,
    letters,
    received: (count, withinMs) =>
      until(() => letters.length >= count && letters, `letter number ${count}`, withinMs ?? 15_000),
    refuse(answer) {
      refusal = answer
    },
    stop,
    start,
  }
}
