import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { closeAfterTest } from './close-after-test.ts'

export interface ImapServer {
  host: string
  port: number
  user: string
  password: string
  /** The messages of the inbox by UID, and the flags that a client set. */
  messages: Map<number, { raw: string; flags: Set<string> }>
  /** What it asks for; a test may change it. */
  account: { user: string; password: string }
  signIns(): number
  /** A client waits for the answer that never comes. */
  hangs: Promise<void>
  deliver(raw: string): void
}

/**
 * A small IMAP server (RFC 3501) with one mailbox, on a free loopback port: what a client needs that reads and deletes.
 * @param options.hangAt a command that it never answers, or `GREETING`; a test may change it
 */
export async function anImapServer(options: { hangAt?: string } = {}): Promise<ImapServer> {
  const { promise: hangs, resolve: hang } = Promise.withResolvers<void>()
  const account = { user: 'website@maaslicht.example', password: 'geheim-van-de-postbus' }
  const messages: ImapServer['messages'] = new Map()
  const sockets = new Set<Socket>()
  let next = 1
  let signIns = 0
  const uids = () => [...messages.keys()].sort((one, other) => one - other)

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    const say = (line: string) => socket.write(`${line}\r\n`)
    if (options.hangAt !== 'GREETING') say('* OK [CAPABILITY IMAP4rev1 UIDPLUS] ready')
    let rest = ''
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() as string
      for (const line of lines) answer(line)
    })
    const answer = (line: string) => {
      const [tag = '', first = '', ...words] = line.split(' ')
      const uid = first.toUpperCase() === 'UID'
      const command = (uid ? (words.shift() ?? '') : first).toUpperCase()
      if (command === options.hangAt) return hang()
      const done = (text = 'done') => say(`${tag} OK ${text}`)
      const chosen = () => inSet(words[0] ?? '', uids())
      if (command === 'CAPABILITY') say('* CAPABILITY IMAP4rev1 UIDPLUS')
      if (command === 'LOGIN') {
        const [user, password] = words.map((word) => word.replace(/^"|"$/g, ''))
        if (user !== account.user || password !== account.password)
          return say(`${tag} NO [AUTHENTICATIONFAILED] unknown: ${password}`)
        signIns++
      }
      if (command === 'LIST') say('* LIST () "/" INBOX')
      if (command === 'SELECT' || command === 'EXAMINE') {
        say('* FLAGS (\\Seen \\Deleted)')
        say(`* ${messages.size} EXISTS`)
        say('* OK [UIDVALIDITY 7] valid')
        say(`* OK [UIDNEXT ${next}] next`)
        return done('[READ-WRITE] open')
      }
      if (command === 'FETCH')
        for (const one of chosen()) {
          const { raw, flags } = messages.get(one) as { raw: string; flags: Set<string> }
          const wanted = words.slice(1).join(' ')
          if (!/BODY\.PEEK/i.test(wanted)) flags.add('\\Seen')
          const partial = /BODY\.PEEK\[\]<0\.(\d+)>/i.exec(wanted)
          const headers = /BODY\.PEEK(\[HEADER\.FIELDS \([^)]*\)\])/i.exec(wanted)?.[1]
          const text = headers
            ? `${raw.split('\r\n\r\n')[0]}\r\n\r\n`
            : raw.slice(0, Number(partial?.[1] ?? raw.length))
          const name = headers ? `BODY${headers}` : `BODY[]${partial ? '<0>' : ''}`
          say(`* ${uids().indexOf(one) + 1} FETCH (UID ${one} ${name} {${Buffer.byteLength(text)}}\r\n${text})`)
        }
      if (command === 'SEARCH') {
        const wanted = /HEADER message-id "?([^"\s]+)"?/i.exec(line)?.[1] ?? ''
        const found = uids().filter((one) => messages.get(one)?.raw.includes(wanted))
        say(`* SEARCH ${found.join(' ')}`.trimEnd())
      }
      if (command === 'STORE')
        for (const one of chosen())
          for (const flag of /\((.*)\)/.exec(line)?.[1]?.split(' ') ?? []) messages.get(one)?.flags.add(flag)
      if (command === 'EXPUNGE')
        for (const one of uid ? chosen() : uids())
          if (messages.get(one)?.flags.has('\\Deleted')) {
            say(`* ${uids().indexOf(one) + 1} EXPUNGE`)
            messages.delete(one)
          }
      if (command === 'LOGOUT') {
        say('* BYE')
        done()
        return socket.end()
      }
      return done()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterTest(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ...account,
    account,
    signIns: () => signIns,
    hangs,
    messages,
    deliver(raw) {
      messages.set(next++, { raw: raw.replace(/\r?\n/g, '\r\n'), flags: new Set() })
    },
  }
}

/** The UIDs of a set such as `3,5:*`. */
function inSet(set: string, uids: readonly number[]): number[] {
  return uids.filter((uid) =>
    set.split(',').some((part) => {
      const [from, to = from] = part.split(':').map((one) => (one === '*' ? Number.POSITIVE_INFINITY : Number(one)))
      return uid >= (from as number) && uid <= (to as number)
    }),
  )
}

/** A delivery report as mail servers write it. */
export const aReport = (of: {
  messageId: string
  recipient: string
  action?: string
  reason?: string
}) => `From: postmaster@ontvanger.example
To: website@maaslicht.example
Subject: Undelivered Mail Returned to Sender
Message-ID: <${Math.random()}@ontvanger.example>
Content-Type: multipart/report; report-type=delivery-status;
 boundary="grens"
MIME-Version: 1.0

--grens
Content-Type: text/plain

This is the mail system.

--grens
Content-Type: message/delivery-status

Reporting-MTA: dns; ontvanger.example

Original-Recipient: rfc822;${of.recipient}
Final-Recipient: rfc822; ${of.recipient.toUpperCase()}
Action: ${of.action ?? 'failed'}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1
 ${of.reason ?? 'Mailbox does not exist'}

--grens
Content-Type: text/rfc822-headers

From: website@maaslicht.example
Message-ID: ${of.messageId}
Subject: x

--grens--
`
