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
  /** The credentials that it accepts; a test may change them. */
  account: { user: string; password: string }
  /** The number of successful sign-ins. */
  signIns(): number
  /** Resolves when a client has sent the command that is never answered. */
  hangs: Promise<void>
  /** Adds a message to the inbox. */
  deliver(raw: string): void
}

/**
 * A small IMAP server (RFC 3501) with one mailbox, on a free loopback port, until the test ends. It has the commands that a
 * client needs to read and delete messages.
 * @param options.hangAt a command that it never answers, or `GREETING`; a test may change it
 */
export async function anImapServer(options: { hangAt?: string } = {}): Promise<ImapServer> {
  const { promise: hangs, resolve: reportHang } = Promise.withResolvers<void>()
  const account = { user: 'website@maaslicht.example', password: 'geheim-van-de-postbus' }
  const messages: ImapServer['messages'] = new Map()
  const sockets = new Set<Socket>()
  let nextUid = 1
  let signIns = 0
  const uids = () => [...messages.keys()].sort((a, b) => a - b)

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    const send = (line: string) => socket.write(`${line}\r\n`)
    if (options.hangAt !== 'GREETING') send('* OK [CAPABILITY IMAP4rev1 UIDPLUS] ready')
    let incompleteLine = ''
    socket.on('data', (chunk) => {
      const lines = (incompleteLine + chunk.toString()).split('\r\n')
      incompleteLine = lines.pop() as string
      for (const line of lines) answerCommand(line)
    })
    const answerCommand = (line: string) => {
      const [tag = '', firstWord = '', ...words] = line.split(' ')
      const isUidCommand = firstWord.toUpperCase() === 'UID'
      const command = (isUidCommand ? (words.shift() ?? '') : firstWord).toUpperCase()
      if (command === options.hangAt) return reportHang()
      const sendOk = (text = 'done') => send(`${tag} OK ${text}`)
      const selectedUids = () => expandSet(words[0] ?? '', uids())
      if (command === 'CAPABILITY') send('* CAPABILITY IMAP4rev1 UIDPLUS')
      if (command === 'LOGIN') {
        const [user, password] = words.map((word) => word.replace(/^"|"$/g, ''))
        if (user !== account.user || password !== account.password)
          return send(`${tag} NO [AUTHENTICATIONFAILED] unknown: ${password}`)
        signIns++
      }
      if (command === 'LIST') send('* LIST () "/" INBOX')
      if (command === 'SELECT' || command === 'EXAMINE') {
        send('* FLAGS (\\Seen \\Deleted)')
        send(`* ${messages.size} EXISTS`)
        send('* OK [UIDVALIDITY 7] valid')
        send(`* OK [UIDNEXT ${nextUid}] next`)
        return sendOk('[READ-WRITE] open')
      }
      if (command === 'FETCH')
        for (const uid of selectedUids()) {
          const { raw, flags } = messages.get(uid) as { raw: string; flags: Set<string> }
          const wanted = words.slice(1).join(' ')
          if (!/BODY\.PEEK/i.test(wanted)) flags.add('\\Seen')
          const partial = /BODY\.PEEK\[\]<0\.(\d+)>/i.exec(wanted)
          const headers = /BODY\.PEEK(\[HEADER\.FIELDS \([^)]*\)\])/i.exec(wanted)?.[1]
          const text = headers
            ? `${raw.split('\r\n\r\n')[0]}\r\n\r\n`
            : raw.slice(0, Number(partial?.[1] ?? raw.length))
          const name = headers ? `BODY${headers}` : `BODY[]${partial ? '<0>' : ''}`
          send(`* ${uids().indexOf(uid) + 1} FETCH (UID ${uid} ${name} {${Buffer.byteLength(text)}}\r\n${text})`)
        }
      if (command === 'SEARCH') {
        const wanted = /HEADER message-id "?([^"\s]+)"?/i.exec(line)?.[1] ?? ''
        const matches = uids().filter((uid) => messages.get(uid)?.raw.includes(wanted))
        send(`* SEARCH ${matches.join(' ')}`.trimEnd())
      }
      if (command === 'STORE')
        for (const uid of selectedUids())
          for (const flag of /\((.*)\)/.exec(line)?.[1]?.split(' ') ?? []) messages.get(uid)?.flags.add(flag)
      if (command === 'EXPUNGE')
        for (const uid of isUidCommand ? selectedUids() : uids())
          if (messages.get(uid)?.flags.has('\\Deleted')) {
            send(`* ${uids().indexOf(uid) + 1} EXPUNGE`)
            messages.delete(uid)
          }
      if (command === 'LOGOUT') {
        send('* BYE')
        sendOk()
        return socket.end()
      }
      return sendOk()
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
      messages.set(nextUid++, { raw: raw.replace(/\r?\n/g, '\r\n'), flags: new Set() })
    },
  }
}

/** Those of `uids` that are in a set such as `3,5:*`. */
function expandSet(set: string, uids: readonly number[]): number[] {
  return uids.filter((uid) =>
    set.split(',').some((part) => {
      const [from, to = from] = part.split(':').map((uid) => (uid === '*' ? Number.POSITIVE_INFINITY : Number(uid)))
      return uid >= (from as number) && uid <= (to as number)
    }),
  )
}

/** A delivery report (RFC 3464) as mail servers write it. */
export const aDeliveryReport = (of: {
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
