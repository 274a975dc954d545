import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { closeAtEnd } from './closing.ts'

export interface Wire {
  /** The same address, by way of this wire. */
  url: string
  /** Every connection breaks off, as when a server is killed or a cable is pulled; new ones are let through. */
  cut(): void
  /** Nothing goes through any more and nothing is closed, as by a machine that hangs. */
  hang(): void
  /** What was held up goes through. */
  goOn(): void
}

/** A piece of network between the program and a server. */
export async function aWire(to: string): Promise<Wire> {
  const target = new URL(to)
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
  const cut = () => {
    for (const end of ends) end.resetAndDestroy()
  }
  closeAtEnd(() => {
    cut()
    server.close()
  })
  return {
    url: wire.href,
    cut,
    hang() {
      hanging = true
      for (const end of ends) end.pause()
    },
    goOn() {
      hanging = false
      for (const end of ends) end.resume()
    },
  }
}
