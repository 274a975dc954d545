import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { ValidationKey } from '../../contract/errors.ts'
import { type MailStep, mailSteps } from '../../contract/mail-server.ts'
import { hidePassword, type SmtpServer, smtpOptions } from './transport.ts'

/** The result of a connection test: the steps that succeeded, those that were skipped, and the one that failed. */
export interface SmtpTest {
  done: MailStep[]
  skipped: MailStep[]
  failed?: { step: MailStep; problem: ValidationKey; answer: string }
}

interface Message {
  from: string
  to: string
  raw: Buffer
}

/**
 * Tests a mail server step by step: up to signing in, or with a message up to its acceptance. Each step has a timeout of
 * `stepMs`. Failures of the server are in the result; they do not reject the promise.
 */
export async function testSmtp(server: SmtpServer, options: { message?: Message; stepMs: number }): Promise<SmtpTest> {
  const { message, stepMs } = options
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const { parseConnectionUrl } = await import('nodemailer/lib/shared')
  const connection = {
    host: 'localhost',
    ...(typeof server === 'string' ? parseConnectionUrl(server) : smtpOptions(server)),
  }
  const { user = '', pass = '' } = connection.auth ?? {}
  const port = connection.port ?? (connection.secure ? 465 : 587)
  const tried: SmtpTest = { done: [], skipped: [] }
  let at: MailStep = 'resolve'
  const reach = (step: MailStep) => {
    if (!tried.done.includes(at)) tried.done.push(at)
    at = step
  }
  const end = (problem: ValidationKey, error: unknown): SmtpTest => ({
    ...tried,
    failed: { step: at, problem, answer: hidePassword(oneLine(error), String(user), String(pass)) },
  })

  const addresses = await within(stepMs, lookup(connection.host, { all: true })).catch((error: unknown) => error)
  if (!Array.isArray(addresses)) return end(isTimeout(addresses) ? 'mailSilent' : 'mailHost', addresses)

  reach('connect')
  let socket = connect({ host: connection.host, port, autoSelectFamily: true })
  const opened = await opening(socket, 'connect', stepMs)
  if (opened) return end(isTimeout(opened) ? 'mailSilent' : 'mailConnect', opened)
  if (connection.secure) {
    reach('encrypt')
    socket = connectTls({
      servername: isIP(connection.host) ? '' : connection.host,
      ...('tls' in connection ? connection.tls : {}),
      socket,
    })
    const secured = await opening(socket, 'secureConnect', stepMs)
    if (secured) return end(problemOf(secured, at), secured)
  }

  reach('greeting')
  const smtp = new SMTPConnection({
    ...connection,
    port,
    connection: socket,
    secured: connection.secure === true,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    debug: true,
    logger: dialogue((by, line) => {
      if (by === 'client' && line === 'STARTTLS') reach('encrypt')
      if (by === 'server' && line.startsWith('2') && at === 'recipient') reach('content')
      if (by === 'server' && line.startsWith('2') && at === 'sender') reach('recipient')
    }),
  })
  const hung = new AbortController()
  const failed = new Promise<never>((_, reject) => smtp.once('error', reject))
  failed.catch(() => {})
  // The overall timeout, for a server that sends its answers very slowly.
  const tooLong = pause(stepMs * mailSteps.length, undefined, { signal: hung.signal }).then(() => {
    throw new TimeLimit()
  })
  tooLong.catch(() => {})
  const step = <Result>(run: (done: (error?: Error | null, result?: Result) => void) => void) =>
    Promise.race([
      new Promise<Result | undefined>((resolve, reject) =>
        run((error, result) => (error ? reject(error) : resolve(result))),
      ),
      failed,
      tooLong,
    ])
  try {
    await step((done) => smtp.connect(done))
    if (!smtp.secure) tried.skipped.push('encrypt')
    reach('signIn')
    if (user === '') tried.skipped.push('signIn')
    else if (!smtp.allowsAuth) return end('mailNoSignIn', '')
    else await step((done) => smtp.login({ user: String(user), pass: String(pass) }, done))
    if (!message) {
      if (user !== '') tried.done.push('signIn')
      return tried
    }
    if (user === '') at = 'sender'
    else reach('sender')
    await step((done) => smtp.send({ from: message.from, to: [message.to] }, message.raw, done))
    tried.done.push('content')
    return tried
  } catch (error) {
    return end(problemOf(error, at), error)
  } finally {
    hung.abort()
    smtp.quit()
    smtp.close()
    socket.destroy()
  }
}

const problems: Record<MailStep, ValidationKey> = {
  resolve: 'mailHost',
  connect: 'mailConnect',
  greeting: 'mailGreeting',
  encrypt: 'mailEncrypt',
  signIn: 'mailSignIn',
  sender: 'mailSender',
  recipient: 'mailRecipient',
  content: 'mailContent',
}

function problemOf(error: unknown, step: MailStep): ValidationKey {
  if (isTimeout(error)) return 'mailSilent'
  const { message = '', originalCode = '' } = error as { message?: string; originalCode?: string }
  if (step === 'encrypt' && /certificate|altname|self.signed/i.test(`${message} ${originalCode}`))
    return 'mailCertificate'
  return problems[step]
}

class TimeLimit extends Error {
  readonly code = 'ETIMEDOUT'
}

const isTimeout = (error: unknown) => (error as { code?: unknown } | undefined)?.code === 'ETIMEDOUT'

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = pause(ms, undefined, { signal: ended.signal }).then((): never => {
    throw new TimeLimit()
  })
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => ended.abort())
}

/** Waits until a socket is connected. @returns why it is not; the socket is destroyed then */
async function opening(socket: Socket, event: 'connect' | 'secureConnect', ms: number): Promise<Error | undefined> {
  // An error after the connection is reported by the SMTP client.
  socket.on('error', () => {})
  const opened = new Promise<void>((resolve, reject) => {
    socket.once(event, () => resolve())
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('Connection closed')))
  })
  try {
    await within(ms, opened)
    return undefined
  } catch (error) {
    socket.destroy()
    return error as Error
  }
}

/** A logger that passes each line of the SMTP dialogue to `heard`. */
function dialogue(heard: (by: 'client' | 'server', line: string) => void) {
  const listen = (entry: unknown, text: unknown) => {
    const { tnx } = entry as { tnx?: string }
    if (tnx === 'client' || tnx === 'server') heard(tnx, String(text))
  }
  const ignore = () => {}
  return { level: ignore, trace: ignore, debug: listen, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}

const answerChars = 300
const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error ?? ''))
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, answerChars)
