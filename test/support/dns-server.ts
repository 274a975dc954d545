import { createServer, Packet } from 'dns2'
import { closeAfterTest } from './close-after-test.ts'

/** Records by name: `{ 'example.nl': { TXT: ['v=spf1 -all'], MX: ['10 mail.example.nl'] } }`. */
export type DnsRecords = Record<string, { TXT?: string[]; MX?: string[]; A?: string[] }>

interface DnsServer {
  /** `127.0.0.1:41234`, for the setting DNS_SERVER. */
  address: string
  records: DnsRecords
  /** The names whose answers it marks as protected by DNSSEC; the root is ''. */
  protectedNames: Set<string>
  /** From now on it receives queries and never answers. */
  fallSilent(): void
}

/** A real DNS server on a free loopback port, until the test ends. A name without records does not exist. */
export async function aDnsServer(records: DnsRecords): Promise<DnsServer> {
  let isSilent = false
  const protectedNames = new Set<string>()
  const server = createServer({
    udp: true,
    handle(request, send) {
      if (isSilent) return
      const response = Packet.createResponseFromRequest(request)
      const [question] = request.questions
      const name = String(question?.name).toLowerCase()
      const nameRecords = records[name]
      // NXDOMAIN.
      if (!nameRecords) response.header.rcode = 3
      for (const text of (question?.type === Packet.TYPE.TXT && nameRecords?.TXT) || [])
        response.answers.push({
          name,
          type: Packet.TYPE.TXT,
          class: Packet.CLASS.IN,
          ttl: 0,
          data: text.match(/.{1,255}/g),
        } as never)
      for (const mx of (question?.type === Packet.TYPE.MX && nameRecords?.MX) || []) {
        const [priority, exchange] = mx.split(' ')
        const mxRecord = { name, type: Packet.TYPE.MX, class: Packet.CLASS.IN, ttl: 0 }
        response.answers.push({ ...mxRecord, priority: Number(priority), exchange } as never)
      }
      for (const address of (question?.type === Packet.TYPE.A && nameRecords?.A) || [])
        response.answers.push({ name, type: Packet.TYPE.A, class: Packet.CLASS.IN, ttl: 0, address } as never)
      if (protectedNames.has(name)) Object.assign(response.header, { ad: 1 })
      send(response)
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  closeAfterTest(() => server.close())
  return {
    address: `127.0.0.1:${udp?.port}`,
    records,
    protectedNames,
    fallSilent() {
      isSilent = true
    },
  }
}
