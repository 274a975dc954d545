import { constants } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unescape as percentDecoded } from 'node:querystring'
import type { Transporter } from 'nodemailer'

export interface MailAddress {
  name: string
  address: string
}

/** A rendered email. Names and addresses are separate fields, to prevent header injection. */
export interface Email {
  from: MailAddress
  to: MailAddress[]
  replyTo?: MailAddress | MailAddress[]
  /** Message-IDs of the emails that it answers, the oldest first. */
  references?: string[]
  /** A person wrote it, so automatic replies to it are welcome. */
  personal?: boolean
  subject: string
  html: string
  text: string
  attachments?: { filename: string; contentType: string; content: string }[] | undefined
}

/** One delivery: the recipient of the envelope, and its ids. */
export interface OutgoingEmail extends Email {
  /** In the outbox. */
  id: number
  messageId: string
  recipient: string
  date: Date
  /** Aborts an attempt that takes too long. */
  signal: AbortSignal
}

export interface Transport {
  /** Where emails go, for the log. */
  kind: 'smtp' | 'files'
  /** Resolves when the server has accepted the email; rejects with its reason. */
  send(sending: OutgoingEmail): Promise<void>
  /**
   * Deletes the files of emails that are no longer in the outbox, also those from before there was a mail server.
   * @returns how many
   */
  deleteOrphanedFiles(emailExists: (ids: number[]) => Promise<ReadonlySet<number>>): Promise<number>
  /** Connects to the server and signs in, or tests that files can be written, without sending anything. */
  verify(): Promise<void>
  close(): Promise<void>
}

/** Sends emails by SMTP, or without a mail server writes them to files in `mail/` of the data folder. */
export function createTransport(settings: { smtpUrl?: string | undefined; dataDir: string }): Transport {
  const folder = join(settings.dataDir, 'mail')
  return {
    ...(settings.smtpUrl ? smtp(settings.smtpUrl) : files(folder)),
    deleteOrphanedFiles: (emailExists) => deleteOrphanedFiles(folder, emailExists),
  }
}

/** Emails sent at once, which is also the number of connections. */
export const maxConcurrentSends = 4

function smtp(url: string): Omit<Transport, 'deleteOrphanedFiles'> {
  const transporter = lazyTransporter(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: maxConcurrentSends,
      connectionTimeout: 10_000,
      greetingTimeout: 30_000,
      socketTimeout: 60_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  })
  return {
    kind: 'smtp',
    async send(sending) {
      try {
        await (await transporter.get()).sendMail(mailOf(sending))
      } catch (error) {
        throw withoutPassword(error, url)
      }
    },
    async verify() {
      try {
        await (await transporter.get()).verify()
      } catch (error) {
        throw withoutPassword(error, url)
      }
    },
    async close() {
      ;(await transporter.made())?.close()
    },
  }
}

/** A server may echo the credentials in its response, which is stored and shown. */
function withoutPassword(error: unknown, url: string): unknown {
  const password = percentDecoded(new URL(url).password)
  if (!(error instanceof Error) || password === '') return error
  const user = percentDecoded(new URL(url).username)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  // As typed, and as AUTH LOGIN and AUTH PLAIN send it.
  for (const form of [base64(`\0${user}\0${password}`), base64(password), password]) {
    error.message = error.message.replaceAll(form, '[hidden]')
  }
  return error
}

function files(folder: string): Omit<Transport, 'deleteOrphanedFiles'> {
  const transporter = lazyTransporter(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  })
  return {
    kind: 'files',
    async send(sending) {
      const info = await (await transporter.get()).sendMail(mailOf(sending))
      // The same name at every attempt, so that a second file overwrites the first.
      const name = `${sending.id}-${sending.messageId.replace(/[^\w.@-]/g, '')}.eml`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomically(join(folder, name), info.message as Buffer, sending.date)
    },
    async verify() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.W_OK)
    },
    async close() {},
  }
}

/** @param emailExists returns which of these emails are in the outbox */
async function deleteOrphanedFiles(
  folder: string,
  emailExists: (ids: number[]) => Promise<ReadonlySet<number>>,
): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const files = names.flatMap((name) => {
    const id = Number(/^(\d+)-.*\.eml(\.part)?$/.exec(name)?.[1])
    return Number.isSafeInteger(id) ? [{ name, id }] : []
  })
  let deleted = 0
  for (let at = 0; at < files.length; at += batch) {
    const some = files.slice(at, at + batch)
    const there = await emailExists(some.map(({ id }) => id))
    for (const { name } of some.filter(({ id }) => !there.has(id))) {
      await rm(join(folder, name), { force: true })
      deleted++
    }
  }
  return deleted
}

/** Files that are looked up in one statement. */
const batch = 500

/** Writes a file atomically. */
async function writeAtomically(path: string, content: Buffer, date: Date): Promise<void> {
  const beside = `${path}.part`
  const file = await open(beside, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.utimes(date, date)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(beside, path)
}

function mailOf(sending: OutgoingEmail) {
  const {
    from,
    to,
    replyTo,
    references = [],
    subject,
    html,
    text,
    attachments,
    messageId,
    date,
    recipient,
    signal,
  } = sending
  return {
    from,
    to,
    ...(replyTo ? { replyTo } : {}),
    ...(references.length > 0 && { references, inReplyTo: references.at(-1) as string }),
    subject,
    html,
    text,
    ...(attachments && { attachments }),
    messageId,
    date,
    signal,
    // Each recipient gets an email of their own; the To header names them all.
    envelope: { from: from.address, to: [recipient] },
    headers: sending.personal ? {} : { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Loads Nodemailer at the first email: it costs start time and memory. */
function lazyTransporter<T extends Transporter>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return {
    get: () => {
      made ??= make()
      return made
    },
    made: async () => made,
  }
}
