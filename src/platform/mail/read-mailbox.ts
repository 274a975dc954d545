import { setTimeout as pause } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { ValidationKey } from '../../contract/errors.ts'
import { hidePassword, type SmtpConnection } from './transport.ts'

/** The last message that was read. The server changes `uidValidity` when it renumbers all messages. */
export interface MailboxPosition {
  uidValidity: string
  uid: number
}

/** The header fields that decide whether a message is fetched. */
interface MessageHead {
  contentType: string
  messageId: string
}

/** The maximum number of messages whose header is read per run; the next run continues. */
const maxMessages = 200
/** Of a message, only so much is downloaded: the beginning of a report is enough. */
const maxBytes = 100_000

/**
 * Reads the messages after the position `since`. Without `since`, or when the server renumbered its messages, it reads
 * none and returns the current end of the inbox. Messages are not marked as read.
 * @param options.isWanted decides by the header whether to fetch a message
 * @param options.handle processes a message; the message is deleted if this returns `delete: true`, `mayDelete` is set
 *   and the server supports UIDPLUS
 * @param options.savePosition called after each handled message, so that a later run does not handle it again
 * @param options.stopping aborts reading; the promise rejects then
 * @param options.withinMs the timeout; after half of it the remaining messages are left for the next run
 * @returns the position for the next run
 */
export async function readMailbox(
  server: SmtpConnection,
  since: MailboxPosition | undefined,
  options: {
    withinMs: number
    mayDelete: boolean
    stopping?: AbortSignal | undefined
    isWanted(head: MessageHead): Promise<boolean> | boolean
    handle(raw: Buffer, head: MessageHead): Promise<{ delete: boolean }>
    savePosition(position: MailboxPosition): Promise<void>
  },
): Promise<MailboxPosition> {
  return inInbox(server, { ...options, readOnly: !options.mayDelete }, async (client) => {
    const stopAfter = Date.now() + options.withinMs / 2
    const { uidValidity, uidNext } = client.mailbox as { uidValidity: bigint; uidNext: number }
    if (since?.uidValidity !== String(uidValidity)) return { uidValidity: String(uidValidity), uid: uidNext - 1 }
    const heads: { uid: number; head: MessageHead }[] = []
    const newestUid = uidNext - 1
    let lastUid = since.uid
    if (newestUid > lastUid) {
      const query = { uid: true, headers: ['content-type', 'message-id'] }
      const endUid = Math.min(newestUid, lastUid + maxMessages)
      const range = `${lastUid + 1}:${endUid}`
      for await (const { uid, headers } of client.fetch(range, query, { uid: true }))
        heads.push({ uid, head: headOf(headers) })
      lastUid = endUid
    }
    for (const { uid, head } of heads) {
      if (!(await options.isWanted(head))) continue
      const message = await client.fetchOne(String(uid), { source: { maxLength: maxBytes } }, { uid: true })
      if (!message || message.source === undefined) continue
      const { delete: shouldDelete } = await options.handle(message.source, head)
      await options.savePosition({ uidValidity: String(uidValidity), uid })
      // Without UIDPLUS the server would also expunge messages that other clients marked as deleted.
      if (shouldDelete && options.mayDelete && client.capabilities.has('UIDPLUS'))
        await client.messageDelete(String(uid), { uid: true })
      if (Date.now() > stopAfter) return { uidValidity: String(uidValidity), uid }
    }
    return { uidValidity: String(uidValidity), uid: lastUid }
  })
}

function headOf(headers: Buffer | undefined): MessageHead {
  const text = (headers?.toString('utf8') ?? '').replace(/\r?\n[ \t]+/g, ' ')
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(text)?.[1]?.trim() ?? ''
  return { contentType: field('content-type'), messageId: field('message-id') }
}

/**
 * Deletes the email with this Message-ID from the inbox; on a server without UIDPLUS it is only marked as deleted.
 * @returns whether it was there
 */
export async function deleteEmail(server: SmtpConnection, messageId: string, withinMs: number): Promise<boolean> {
  return inInbox(server, { withinMs, readOnly: false }, async (client) => {
    const matches = await client.search({ header: { 'message-id': messageId } }, { uid: true })
    if (!matches || matches.length === 0) return false
    const uids = matches.join(',')
    if (client.capabilities.has('UIDPLUS')) await client.messageDelete(uids, { uid: true })
    else await client.messageFlagsAdd(uids, ['\\Deleted'], { uid: true })
    return true
  })
}

/** Signs in and opens the inbox. @returns undefined when this succeeds, else the problem with the server's answer */
export async function testMailbox(
  server: SmtpConnection,
  withinMs: number,
): Promise<{ problem: ValidationKey; answer: string } | undefined> {
  try {
    await inInbox(server, { withinMs, readOnly: true }, async () => {})
    return undefined
  } catch (error) {
    const { responseText, message } = error as { responseText?: string; message: string }
    const problem = mailboxProblemOf(error)
    if (problem === undefined) throw error
    return { problem, answer: hidePassword(responseText ?? message, server.user, server.password) }
  }
}

class TimeLimit extends Error {}

/** Runs `work` with the opened inbox, then signs out. @throws {TimeLimit}; errors of the network, the server and `work` */
async function inInbox<T>(
  { host, port, security, user, password }: SmtpConnection,
  { withinMs, readOnly, stopping }: { withinMs: number; readOnly: boolean; stopping?: AbortSignal | undefined },
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
  })
  const connectionLost = new Promise<never>((_, reject) => client.on('error', reject))
  connectionLost.catch(() => {})
  const ended = new AbortController()
  const signals = stopping ? [ended.signal, stopping] : [ended.signal]
  const timeout = pause(withinMs, undefined, { signal: AbortSignal.any(signals) }).then((): never => {
    throw new TimeLimit('The server took too long')
  })
  timeout.catch(() => {})
  const session = async () => {
    await client.connect()
    await client.mailboxOpen('INBOX', { readOnly })
    const result = await work(client)
    await client.logout()
    return result
  }
  const running = session()
  running.catch(() => {})
  try {
    return await Promise.race([running, connectionLost, timeout])
  } finally {
    ended.abort()
    client.close()
  }
}

/** Returns the validation key for an error of the mailbox, its server or the network; undefined for any other error. */
export function mailboxProblemOf(error: unknown): ValidationKey | undefined {
  const {
    code,
    authenticationFailed,
    responseStatus,
    message = '',
  } = error as {
    code?: string
    authenticationFailed?: boolean
    responseStatus?: string
    message?: string
  }
  if (error instanceof TimeLimit || /TIMEOUT|TIMEDOUT/i.test(code ?? '')) return 'mailSilent'
  if (authenticationFailed) return 'mailSignIn'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'mailHost'
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'mailConnect'
  if (/CERT|ALTNAME|SELF_SIGNED/.test(code ?? '') || /certificate/.test(message)) return 'mailCertificate'
  if (/SSL|TLS/i.test(`${code} ${message}`)) return 'mailEncrypt'
  return code !== undefined || responseStatus !== undefined ? 'mailGreeting' : undefined
}
