import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unescape as percentDecoded } from 'node:querystring'
import type { Transporter } from 'nodemailer'

export interface MailAddress {
  name: string
  address: string
}

/** A letter in words. Names and addresses are apart from each other, so that neither can pose as a header. */
export interface Letter {
  from: MailAddress
  to: MailAddress[]
  replyTo?: MailAddress | MailAddress[]
  /** Message-IDs of the letters that it answers, the oldest first. */
  references?: string[]
  /** A person wrote it, so a person's mail program may answer it by itself. */
  personal?: boolean
  subject: string
  html: string
  text: string
}

/** What makes one sending of it: to whom it really goes, and how it is known. */
export interface Sending extends Letter {
  /** Of the outbox. */
  id: number
  messageId: string
  recipient: string
  date: Date
  /** Ends a try that takes too long. */
  signal: AbortSignal
}

export interface Transport {
  /** Where letters go, in words for the log. */
  kind: 'smtp' | 'files'
  /** Resolves when the server has taken the letter; rejects with its reason. */
  send(sending: Sending): Promise<void>
  /** Removes the letters from before an instant that are kept as files, also those of a time without a server. @returns how many */
  drop(before: Date): Promise<number>
  close(): Promise<void>
}

/** Letters go to the SMTP server of the settings, or without one into files under `mail/` of the data folder. */
export function createTransport(settings: { smtpUrl?: string | undefined; dataDir: string }): Transport {
  const folder = join(settings.dataDir, 'mail')
  return { ...(settings.smtpUrl ? smtp(settings.smtpUrl) : files(folder)), drop: (before) => dropFiles(folder, before) }
}

/** Letters that are sent at once, which is also how many connections there are. */
export const sendsAtOnce = 4

function smtp(url: string): Omit<Transport, 'drop'> {
  const transporter = lazily(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: sendsAtOnce,
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
    async close() {
      ;(await transporter.made())?.close()
    },
  }
}

/** A server may repeat what it was told, and its words are kept and shown. */
function withoutPassword(error: unknown, url: string): unknown {
  const password = percentDecoded(new URL(url).password)
  if (!(error instanceof Error) || password === '') return error
  const user = percentDecoded(new URL(url).username)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  // As typed, and as AUTH LOGIN and AUTH PLAIN send it.
  for (const said of [base64(`\0${user}\0${password}`), base64(password), password]) {
    error.message = error.message.replaceAll(said, '[hidden]')
  }
  return error
}

function files(folder: string): Omit<Transport, 'drop'> {
  const transporter = lazily(async () => {
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
      // The same name at every try: a second one overwrites the first.
      const name = `${sending.id}-${sending.messageId.replace(/[^\w.@-]/g, '')}.eml`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeWhole(join(folder, name), info.message as Buffer, sending.date)
    },
    async close() {},
  }
}

async function dropFiles(folder: string, before: Date): Promise<number> {
  let dropped = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (!found || found.mtime >= before) continue
    await rm(path, { force: true })
    dropped++
  }
  return dropped
}

/** Whoever looks finds the whole file or none. */
async function writeWhole(path: string, content: Buffer, date: Date): Promise<void> {
  const beside = `${path}.part`
  const file = await open(beside, 'w', 0o600)
  try {
    await file.writeFile(content)
    // The letter's own date: by it the file is removed one day.
    await file.utimes(date, date)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(beside, path)
}

function mailOf(sending: Sending) {
  const { from, to, replyTo, references = [], subject, html, text, messageId, date, recipient, signal } = sending
  return {
    from,
    to,
    ...(replyTo ? { replyTo } : {}),
    ...(references.length > 0 && { references, inReplyTo: references.at(-1) as string }),
    subject,
    html,
    text,
    messageId,
    date,
    signal,
    // Each recipient gets a letter of their own; the header names them all.
    envelope: { from: from.address, to: [recipient] },
    headers: sending.personal ? {} : { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Nodemailer takes memory and time that a program which has nothing to send can do without. */
function lazily<T extends Transporter>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return {
    get: () => {
      made ??= make()
      return made
    },
    made: async () => made,
  }
}
