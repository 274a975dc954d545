import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { closeAfterTest } from './close-after-test.ts'

export interface TcpProxy {
  /** The same URL, through this proxy. */
  url: string
  /** Closes every connection, as when a server is killed or a cable is pulled; accepts new ones. */
  resetConnections(): void
  /** Stops forwarding without closing, like a machine that hangs. */
  stall(): void
  /** Stops forwarding on the open connections, like a firewall that forgot them; accepts new ones. */
  stallOpenConnections(): void
  /** Closes every connection, and refuses new ones. */
  close(): void
  /** Forwards everything that was held back. */
  resume(): void
  /** Forwards new connections to another server, like an address that moved in a failover. */
  forwardTo(url: string): void
}

/** A TCP proxy between the program and a server. */
export async function aTcpProxy(to: string): Promise<TcpProxy> {
  let target = new URL(to)
  const ends = new Set<Socket>()
  let hanging = false
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        ends.delete(one)
        other.destroy()
      })
      if (hanging) one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const wire = new URL(to)
  wire.port = String((server.address() as AddressInfo).port)
  // The socket of the server.
  wire.searchParams.delete('host')
  const cut = () => {
    for (const end of ends) end.resetAndDestroy()
  }
  closeAfterTest(() => {
    cut()
    server.close()
  })
  return {
    url: wire.href,
    forwardTo(url) {
      target = new URL(url)
      cut()
    },
    resetConnections: cut,
    stall() {
      hanging = true
      for (const end of ends) end.pause()
    },
    close() {
      cut()
      server.close()
    },
    stallOpenConnections() {
      for (const end of ends) end.pause()
    },
    resume() {
      hanging = false
      for (const end of ends) end.resume()
    },
  }
}
