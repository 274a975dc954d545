import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unescape as percentDecoded } from 'node:querystring'
import type { MailSecurity } from '../../contract/mail-server.ts'
import { lazy } from '../lazy.ts'

export interface MailAddress {
  name: string
  address: string
}

/** A rendered email. Names and addresses are separate fields, to prevent header injection. */
export interface Email {
  from: MailAddress
  to: MailAddress[]
  replyTo?: MailAddress | MailAddress[]
  /** Message-IDs of the conversation that this email answers, the oldest first. */
  references?: string[]
  /** A person wrote it: it gets no `Auto-Submitted` header, so that automatic replies to it are sent. */
  personal?: boolean
  subject: string
  html: string
  text: string
  attachments?: { filename: string; contentType: string; content: string }[] | undefined
}

/** An email to one recipient of its envelope, who need not be the only one in `to`. */
export interface OutgoingEmail extends Email {
  /** The id in the outbox. */
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
  send(email: OutgoingEmail): Promise<void>
  /**
   * Deletes the files of emails that are no longer in the outbox, also those from before there was a mail server.
   * @param emailExists returns the ids among these that are in the outbox
   * @returns how many files were deleted
   */
  deleteOrphanedFiles(emailExists: (ids: number[]) => Promise<ReadonlySet<number>>): Promise<number>
  close(): Promise<void>
}

/** A mail server: the URL in the setting SMTP_URL, or the one that staff set on the screen. */
export type SmtpServer = string | SmtpConnection

export interface SmtpConnection {
  host: string
  port: number
  security: MailSecurity
  /** Empty: without signing in. */
  user: string
  password: string
}

/** Sends emails by SMTP, or without a mail server writes them to files in `mail/` of the data folder. */
export function createTransport(settings: { smtpUrl?: SmtpServer | undefined; dataDir: string }): Transport {
  const folder = join(settings.dataDir, 'mail')
  return {
    ...(settings.smtpUrl ? smtp(settings.smtpUrl) : files(folder)),
    deleteOrphanedFiles: (emailExists) => deleteOrphanedFiles(folder, emailExists),
  }
}

/** A transport whose mail server can be replaced at run time. */
interface ReplaceableTransport {
  current(): Transport
  /** Emails that are being sent may still end at the previous server; those that fail are tried again. */
  replace(server: SmtpServer | undefined): Promise<void>
}

export function replaceableTransport(dataDir: string, server: SmtpServer | undefined): ReplaceableTransport {
  let currentServer = JSON.stringify(server)
  let current = createTransport({ smtpUrl: server, dataDir })
  return {
    current: () => current,
    async replace(next) {
      if (JSON.stringify(next) === currentServer) return
      const previous = current
      currentServer = JSON.stringify(next)
      current = createTransport({ smtpUrl: next, dataDir })
      await previous.close()
    },
  }
}

/** How many emails are sent at the same time, each over its own connection. */
export const maxConcurrentSends = 4

function smtp(server: SmtpServer): Omit<Transport, 'deleteOrphanedFiles'> {
  // Nodemailer costs start time and memory.
  const transporter = lazy(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      ...(typeof server === 'string' ? { url: server } : smtpOptions(server)),
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
    async send(email) {
      try {
        await (await transporter()).sendMail(mailOf(email))
      } catch (error) {
        throw withoutPassword(error, server)
      }
    },
    async close() {
      ;(await transporter.ifCreated())?.close()
    },
  }
}

/** The options of Nodemailer for a server. */
export const smtpOptions = ({ host, port, security, user, password }: SmtpConnection) => ({
  host,
  port,
  secure: security === 'tls',
  requireTLS: security === 'starttls',
  ignoreTLS: security === 'none',
  ...(user !== '' && { auth: { user, pass: password } }),
})

/** Hides the password in the message of the error, which it changes. @returns the same error */
function withoutPassword(error: unknown, server: SmtpServer): unknown {
  const { username, password } =
    typeof server === 'string' ? new URL(server) : { username: server.user, password: server.password }
  const decoded = typeof server === 'string' ? percentDecoded : (text: string) => text
  if (error instanceof Error) error.message = hidePassword(error.message, decoded(username), decoded(password))
  return error
}

/** Replaces the password by `[hidden]`: a server may echo the credentials in its response, which is stored and shown. */
export function hidePassword(text: string, user: string, password: string): string {
  if (password === '') return text
  const base64 = (value: string) => Buffer.from(value).toString('base64')
  // As AUTH PLAIN and AUTH LOGIN send it, and in plain text.
  const encodings = [base64(`\0${user}\0${password}`), base64(password), password]
  return encodings.reduce((hidden, encoding) => hidden.replaceAll(encoding, '[hidden]'), text)
}

function files(folder: string): Omit<Transport, 'deleteOrphanedFiles'> {
  const transporter = lazy(async () => {
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
    async send(email) {
      const info = await (await transporter()).sendMail(mailOf(email))
      // The same name at every attempt, so that a second file overwrites the first.
      const name = `${email.id}-${email.messageId.replace(/[^\w.@-]/g, '')}.eml`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomically(join(folder, name), info.message as Buffer, email.date)
    },
    async close() {},
  }
}

/** See `Transport`. @throws the first error, after all files were tried */
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
  const errors: unknown[] = []
  for (let start = 0; start < files.length; start += batchSize) {
    const batch = files.slice(start, start + batchSize)
    const existingIds = await emailExists(batch.map(({ id }) => id))
    for (const { name } of batch.filter(({ id }) => !existingIds.has(id))) {
      await rm(join(folder, name), { force: true }).then(
        () => deleted++,
        (error) => errors.push(error),
      )
    }
  }
  if (errors.length > 0) throw errors[0]
  return deleted
}

/** Files that are looked up in one statement. */
const batchSize = 500

async function writeAtomically(path: string, content: Buffer, date: Date): Promise<void> {
  const partPath = `${path}.part`
  const file = await open(partPath, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.utimes(date, date)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partPath, path)
}

/** The email as the mail options of Nodemailer. */
export function mailOf(email: Omit<OutgoingEmail, 'signal'> & { signal?: AbortSignal }) {
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
  } = email
  return {
    from: plainAddress(from),
    to: to.map(plainAddress),
    ...(replyTo && { replyTo: [replyTo].flat().map(plainAddress) }),
    ...(references.length > 0 && { references, inReplyTo: references.at(-1) as string }),
    subject: withoutEncodedWords(subject),
    html,
    text,
    ...(attachments && { attachments }),
    messageId,
    date,
    ...(signal && { signal }),
    // Only this recipient; the To header names all of them.
    envelope: { from: from.address, to: [recipient] },
    headers: email.personal ? {} : { 'Auto-Submitted': 'auto-generated' },
  }
}

const plainAddress = ({ name, address }: MailAddress): MailAddress => ({ name: withoutEncodedWords(name), address })

/** `=?` starts an encoded word (RFC 2047), which could bring a line break into a header as mail clients decode it. */
const withoutEncodedWords = (text: string) => text.replaceAll('=?', '= ?')
