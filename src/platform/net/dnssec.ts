import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/**
 * Whether a resolver says that DNSSEC protects a name: the AD bit of its answer (RFC 6840), which Node's own resolver does not
 * show. Undefined when it does not answer, or not for any name.
 */
export type IsProtected = (name: string) => Promise<boolean | undefined>

/** Signed for as long as there is DNSSEC, so a resolver that validates says so for it. */
const root = ''

/**
 * @param server its address, with a port if it is not 53; undefined: the resolver of the system
 * @param answerWithinMs each question is asked twice
 */
export function createIsProtected(server?: string, answerWithinMs = 2_000): IsProtected {
  return async (name) => {
    const [, address = '', port = '53'] =
      /^\[?(.+?)\]?(?:(?<=\]|^[\d.]+):(\d+))?$/.exec(server ?? getServers()[0] ?? '') ?? []
    if (address === '') return undefined
    const at = { address, port: Number(port), answerWithinMs }
    const ask = async (asked: string) => (await isAuthentic(asked, at)) ?? isAuthentic(asked, at)
    if (await ask(name)) return true
    return (await ask(root)) ? false : undefined
  }
}

async function isAuthentic(
  name: string,
  { address, port, answerWithinMs }: { address: string; port: number; answerWithinMs: number },
): Promise<boolean | undefined> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  socket.on('error', () => {})
  const id = randomInt(0x1_0000)
  try {
    const ended = AbortSignal.timeout(answerWithinMs)
    socket.connect(port, address)
    await once(socket, 'connect', { signal: ended })
    socket.send(questionOf(id, name))
    for (;;) {
      const [answer] = (await once(socket, 'message', { signal: ended })) as [Buffer]
      const isOurs = answer.length >= 12 && answer.readUInt16BE(0) === id && (answer.readUInt8(2) & 0x80) !== 0
      if (isOurs) return (answer.readUInt8(3) & 0x20) !== 0
    }
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}

/** Asks for the address of a name, or the SOA of the root, with recursion and the AD bit. */
function questionOf(id: number, name: string): Buffer {
  const labels = name
    .split('.')
    .filter(Boolean)
    .map((label) => Buffer.from(label, 'latin1'))
  const header = Buffer.from([id >> 8, id & 0xff, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 0])
  const type = name === root ? 6 : 1
  return Buffer.concat([
    header,
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0, 0, type, 0, 1]),
  ])
}
