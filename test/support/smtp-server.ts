import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { closeAfterTest } from './close-after-test.ts'

export interface SmtpServerWithSignIn {
  host: string
  port: number
  user: string
  password: string
  /** The raw emails. */
  emails: string[]
  signIns(): number
  /** As the provider does: from now on the old one is refused. */
  changePassword(to: string): void
}

/**
 * A real SMTP server that asks for a sign-in, on a free loopback port.
 * @param options.security `none`, or with the certificate of nobody's trust that comes with the library
 */
export async function aSmtpServer(
  options: { security?: 'none' | 'tls' | 'starttls'; refuse?: { sender?: string; recipient?: string } } = {},
): Promise<SmtpServerWithSignIn> {
  const { security = 'none', refuse = {} } = options
  const account = { user: 'website@maaslicht.example', password: 'geheim-van-de-mailserver' }
  const emails: string[] = []
  let signIns = 0
  const refused = (text: string | undefined) => (text ? Object.assign(new Error(text), { responseCode: 550 }) : null)
  const server = new SMTPServer({
    secure: security === 'tls',
    allowInsecureAuth: security === 'none',
    disabledCommands: security === 'starttls' ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 200,
    onAuth({ username, password }, _session, done) {
      const known = username === account.user && password === account.password
      if (known) signIns++
      // Some servers repeat what was sent.
      done(known ? null : new Error(`unknown: ${password}`), known ? { user: username } : undefined)
    },
    onMailFrom: (_address, _session, done) => done(refused(refuse.sender)),
    onRcptTo: (_address, _session, done) => done(refused(refuse.recipient)),
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
    changePassword(to) {
      account.password = to
    },
  }
}

export const smtpStates = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'content'] as const

/** A TCP server that speaks SMTP until a state, and then keeps the connection open in silence. */
export async function aHangingSmtpServer(state: (typeof smtpStates)[number]): Promise<{ host: string; port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let content = false
    let rest = ''
    const answer = (of: string, line: string) => {
      if (of !== state) socket.write(`${line}\r\n`)
    }
    answer('greeting', '220 hangt.example')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() as string
      for (const line of lines) {
        const command = line.slice(0, 4)
        if (content) {
          if (line === '.') answer('content', '250 taken')
        } else if (command === 'EHLO') answer('EHLO', '250-hangt.example\r\n250 AUTH PLAIN')
        else if (command === 'AUTH') answer('AUTH', '235 welcome')
        else if (command === 'MAIL') answer('MAIL', '250 ok')
        else if (command === 'RCPT') answer('RCPT', '250 ok')
        else if (command === 'DATA') {
          content = state !== 'DATA'
          answer('DATA', '354 go on')
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
