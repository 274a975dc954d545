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
  /** Closes every connection, and forwards new ones to another server, like an address that moved in a failover. */
  forwardTo(url: string): void
}

/** A TCP proxy on a free loopback port to the server with this URL, until the test ends. */
export async function aTcpProxy(serverUrl: string): Promise<TcpProxy> {
  let target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let isStalled = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [source, destination] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(source)
      source.pipe(destination)
      source.on('error', () => destination.destroy())
      source.on('close', () => {
        sockets.delete(source)
        destination.destroy()
      })
      if (isStalled) source.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxyUrl = new URL(serverUrl)
  proxyUrl.port = String((server.address() as AddressInfo).port)
  // The Unix socket of PostgreSQL would bypass the proxy.
  proxyUrl.searchParams.delete('host')
  const resetConnections = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  closeAfterTest(() => {
    resetConnections()
    server.close()
  })
  return {
    url: proxyUrl.href,
    forwardTo(url) {
      target = new URL(url)
      resetConnections()
    },
    resetConnections,
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    close() {
      resetConnections()
      server.close()
    },
    stallOpenConnections() {
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
  }
}
