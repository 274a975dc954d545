import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { closeAfterTest } from './close-after-test.ts'

interface SmtpServerWithSignIn {
  host: string
  port: number
  user: string
  password: string
  /** The raw emails. */
  emails: string[]
  /** The number of successful sign-ins. */
  signIns(): number
  /** Replaces the password; from now on the old one is refused. */
  changePassword(newPassword: string): void
}

/**
 * A real SMTP server that requires a sign-in, on a free loopback port, until the test ends.
 * @param options.security with TLS it has the certificate of the library, which nobody trusts
 * @param options.refuse the text with which it refuses every sender or every recipient
 */
export async function aSmtpServer(
  options: { security?: 'none' | 'tls' | 'starttls'; refuse?: { sender?: string; recipient?: string } } = {},
): Promise<SmtpServerWithSignIn> {
  const { security = 'none', refuse = {} } = options
  const account = { user: 'website@maaslicht.example', password: 'geheim-van-de-mailserver' }
  const emails: string[] = []
  let signIns = 0
  const rejectionFor = (text: string | undefined) =>
    text ? Object.assign(new Error(text), { responseCode: 550 }) : null
  const server = new SMTPServer({
    secure: security === 'tls',
    allowInsecureAuth: security === 'none',
    disabledCommands: security === 'starttls' ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 200,
    onAuth({ username, password }, _session, done) {
      const isAuthenticated = username === account.user && password === account.password
      if (isAuthenticated) signIns++
      // Some servers repeat the password in their response.
      done(isAuthenticated ? null : new Error(`unknown: ${password}`), isAuthenticated ? { user: username } : undefined)
    },
    onMailFrom: (_address, _session, done) => done(rejectionFor(refuse.sender)),
    onRcptTo: (_address, _session, done) => done(rejectionFor(refuse.recipient)),
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        emails.push(Buffer.concat(chunks).toString('utf8'))
        done()
      })
    },
  })
  // A client may disconnect at any time.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  closeAfterTest(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    ...account,
    emails,
    signIns: () => signIns,
    changePassword(newPassword) {
      account.password = newPassword
    },
  }
}

/** The commands of an SMTP session in their order, and the moments without a command. */
export const smtpStates = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'content'] as const

/** An SMTP server that leaves this state unanswered and keeps the connection open, on a free loopback port, until the test ends. */
export async function aHangingSmtpServer(state: (typeof smtpStates)[number]): Promise<{ host: string; port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let isContent = false
    let incompleteLine = ''
    const reply = (replyState: string, line: string) => {
      if (replyState !== state) socket.write(`${line}\r\n`)
    }
    reply('greeting', '220 hangt.example')
    socket.on('data', (chunk) => {
      const lines = (incompleteLine + chunk.toString()).split('\r\n')
      incompleteLine = lines.pop() as string
      for (const line of lines) {
        const command = line.slice(0, 4)
        if (isContent) {
          if (line === '.') reply('content', '250 taken')
        } else if (command === 'EHLO') reply('EHLO', '250-hangt.example\r\n250 AUTH PLAIN')
        else if (command === 'AUTH') reply('AUTH', '235 welcome')
        else if (command === 'MAIL') reply('MAIL', '250 ok')
        else if (command === 'RCPT') reply('RCPT', '250 ok')
        else if (command === 'DATA') {
          isContent = state !== 'DATA'
          reply('DATA', '354 go on')
        }
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterTest(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}
