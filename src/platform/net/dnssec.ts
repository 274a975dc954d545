import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/**
 * Whether a resolver reports that DNSSEC protects a name, by the AD bit of its response (RFC 6840), which Node's own
 * resolver does not expose. Undefined when the resolver does not respond, or does not validate.
 */
export type HasDnssec = (name: string) => Promise<boolean | undefined>

/** The DNS root, which is always signed: a resolver that does not report that does not validate. */
const rootName = ''

/**
 * @param server the address of a resolver, with a port if it is not 53; undefined: the resolver of the system
 * @param timeoutMs of one query; each is sent up to twice
 */
export function createHasDnssec(server?: string, timeoutMs = 2_000): HasDnssec {
  return async (name) => {
    // An IPv6 address with a port is in brackets.
    const [, address = '', port = '53'] =
      /^\[?(.+?)\]?(?:(?<=\]|^[\d.]+):(\d+))?$/.exec(server ?? getServers()[0] ?? '') ?? []
    if (address === '') return undefined
    const resolver = { address, port: Number(port), timeoutMs }
    const queryTwice = async (domain: string) => (await isAuthentic(domain, resolver)) ?? isAuthentic(domain, resolver)
    if (await queryTwice(name)) return true
    return (await queryTwice(rootName)) ? false : undefined
  }
}

/** Whether the response of a resolver has the AD bit; undefined without a response in time. */
async function isAuthentic(
  name: string,
  { address, port, timeoutMs }: { address: string; port: number; timeoutMs: number },
): Promise<boolean | undefined> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  socket.on('error', () => {})
  const id = randomInt(0x1_0000)
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    socket.connect(port, address)
    await once(socket, 'connect', { signal })
    socket.send(encodeQuery(id, name))
    for (;;) {
      const [response] = (await once(socket, 'message', { signal })) as [Buffer]
      // The QR bit marks a response; other datagrams are ignored.
      const isOurs = response.length >= 12 && response.readUInt16BE(0) === id && (response.readUInt8(2) & 0x80) !== 0
      if (isOurs) return (response.readUInt8(3) & 0x20) !== 0
    }
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}

/** A DNS query for the A record of a name, or the SOA record of the root, with the RD and AD bits. */
function encodeQuery(id: number, name: string): Buffer {
  const labels = name
    .split('.')
    .filter(Boolean)
    .map((label) => Buffer.from(label, 'latin1'))
  const header = Buffer.from([id >> 8, id & 0xff, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 0])
  const type = name === rootName ? 6 : 1
  return Buffer.concat([
    header,
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0, 0, type, 0, 1]),
  ])
}
