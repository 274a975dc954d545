import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { ValidationKey } from '../../contract/errors.ts'
import { type MailStep, mailSteps } from '../../contract/mail-server.ts'
import { hidePassword, type SmtpServer, smtpOptions } from './transport.ts'

/** The result of a connection test. Steps that were not reached are in none of the lists. */
export interface SmtpTest {
  /** The steps that succeeded. */
  done: MailStep[]
  skipped: MailStep[]
  /** The step at which the test ended, with the answer of the server on one line, without the password. */
  failed?: { step: MailStep; problem: ValidationKey; answer: string }
}

interface Message {
  /** Addresses of the envelope. */
  from: string
  to: string
  /** The whole message, as it is transmitted. */
  raw: Buffer
}

/**
 * Tests a mail server step by step. Without `message` it ends after signing in; with it, it really sends the message.
 * Each step has a timeout of `stepMs`. Failures are in the result; they do not reject the promise.
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
  const result: SmtpTest = { done: [], skipped: [] }
  let currentStep: MailStep = 'resolve'
  const goTo = (next: MailStep) => {
    if (!result.done.includes(currentStep)) result.done.push(currentStep)
    currentStep = next
  }
  const fail = (problem: ValidationKey, error: unknown): SmtpTest => ({
    ...result,
    failed: { step: currentStep, problem, answer: hidePassword(oneLine(error), String(user), String(pass)) },
  })

  const addresses = await within(stepMs, lookup(connection.host, { all: true })).catch((error: unknown) => error)
  if (!Array.isArray(addresses)) return fail(isTimeout(addresses) ? 'mailSilent' : 'mailHost', addresses)

  goTo('connect')
  let socket = connect({ host: connection.host, port, autoSelectFamily: true })
  const connectError = await waitUntilOpen(socket, 'connect', stepMs)
  if (connectError) return fail(isTimeout(connectError) ? 'mailSilent' : 'mailConnect', connectError)
  if (connection.secure) {
    goTo('encrypt')
    socket = connectTls({
      servername: isIP(connection.host) ? '' : connection.host,
      ...('tls' in connection ? connection.tls : {}),
      socket,
    })
    const tlsError = await waitUntilOpen(socket, 'secureConnect', stepMs)
    if (tlsError) return fail(problemOf(tlsError, currentStep), tlsError)
  }

  goTo('greeting')
  const smtp = new SMTPConnection({
    ...connection,
    port,
    connection: socket,
    secured: connection.secure === true,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    debug: true,
    // Each positive reply ends one step, so the later step is compared first.
    logger: dialogueLogger((by, line) => {
      if (by === 'client' && line === 'STARTTLS') goTo('encrypt')
      if (by === 'server' && line.startsWith('2') && currentStep === 'recipient') goTo('content')
      if (by === 'server' && line.startsWith('2') && currentStep === 'sender') goTo('recipient')
    }),
  })
  const ended = new AbortController()
  const connectionError = new Promise<never>((_, reject) => smtp.once('error', reject))
  connectionError.catch(() => {})
  // The overall timeout, for a server that sends its answers very slowly.
  const overallTimeout = pause(stepMs * mailSteps.length, undefined, { signal: ended.signal }).then(() => {
    throw new TimeLimit()
  })
  overallTimeout.catch(() => {})
  const runStep = <Result>(run: (done: (error?: Error | null, result?: Result) => void) => void) =>
    Promise.race([
      new Promise<Result | undefined>((resolve, reject) =>
        run((error, result) => (error ? reject(error) : resolve(result))),
      ),
      connectionError,
      overallTimeout,
    ])
  try {
    await runStep((done) => smtp.connect(done))
    if (!smtp.secure) result.skipped.push('encrypt')
    goTo('signIn')
    if (user === '') result.skipped.push('signIn')
    else if (!smtp.allowsAuth) return fail('mailNoSignIn', '')
    else await runStep((done) => smtp.login({ user: String(user), pass: String(pass) }, done))
    if (!message) {
      if (user !== '') result.done.push('signIn')
      return result
    }
    // A skipped step is not also `done`.
    if (user === '') currentStep = 'sender'
    else goTo('sender')
    await runStep((done) => smtp.send({ from: message.from, to: [message.to] }, message.raw, done))
    result.done.push('content')
    return result
  } catch (error) {
    return fail(problemOf(error, currentStep), error)
  } finally {
    ended.abort()
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
  const timeout = pause(ms, undefined, { signal: ended.signal }).then((): never => {
    throw new TimeLimit()
  })
  timeout.catch(() => {})
  return Promise.race([work, timeout]).finally(() => ended.abort())
}

/** Waits until a socket is connected. @returns undefined, or the error after destroying the socket */
async function waitUntilOpen(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  ms: number,
): Promise<Error | undefined> {
  // The SMTP client reports later errors; without this listener they would end the process.
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

/** A logger for Nodemailer that passes each line of the SMTP dialogue to `onLine`. */
function dialogueLogger(onLine: (by: 'client' | 'server', line: string) => void) {
  const listen = (entry: unknown, text: unknown) => {
    const { tnx } = entry as { tnx?: string }
    if (tnx === 'client' || tnx === 'server') onLine(tnx, String(text))
  }
  const ignore = () => {}
  return { level: ignore, trace: ignore, debug: listen, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}

const maxAnswerChars = 300
const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error ?? ''))
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxAnswerChars)
