import { once } from 'node:events'
import { createServer } from 'node:net'

/** A loopback port that is free at this moment. */
export async function freePort(): Promise<number> {
  const port = await listenOnce(0)
  if (!port) throw new Error('no port')
  return port
}

/** The ports of this worker: below those that systems give away, and others than those of a run at the same time. */
const range = { first: 11_000 + (process.ppid % 200) * 100 + (Number(process.env.VITEST_POOL_ID) % 5) * 20, size: 20 }
const inUse = new Set<number>()

/**
 * A port that the next program of this worker gets again, so that a browser knows the scripts of its site already.
 * @returns it, and what gives it back once nothing listens on it
 */
export async function keptPort(): Promise<{ port: number; giveBack: () => void }> {
  for (let port = range.first; port < range.first + range.size; port++) {
    if (inUse.has(port)) continue
    inUse.add(port)
    if (await listenOnce(port)) return { port, giveBack: () => void inUse.delete(port) }
  }
  throw new Error(`all ports from ${range.first} are taken`)
}

export const isKept = (port: number): boolean => port >= range.first && port < range.first + range.size

/** @returns the port; undefined: it is taken */
async function listenOnce(wanted: number): Promise<number | undefined> {
  const probe = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return
  }
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : undefined
}
