import { once } from 'node:events'
import { createServer } from 'node:net'

/** A loopback port that is free at this moment. */
export async function freePort(): Promise<number> {
  const port = await tryToListen(0)
  if (!port) throw new Error('no port')
  return port
}

/**
 * The reusable ports of this worker. They are below those that operating systems give to programs, and mostly differ from those
 * of a test run at the same time.
 */
const range = { first: 11_000 + (process.ppid % 200) * 100 + (Number(process.env.VITEST_POOL_ID) % 5) * 20, size: 20 }
const inUse = new Set<number>()

/**
 * A free port of this worker that a later program gets again after `release`, so that the browser has the scripts of that URL
 * in its cache. Call `release` when nothing listens on the port any more.
 */
export async function takeReusablePort(): Promise<{ port: number; release: () => void }> {
  for (let port = range.first; port < range.first + range.size; port++) {
    if (inUse.has(port)) continue
    inUse.add(port)
    const release = () => void inUse.delete(port)
    if (await tryToListen(port)) return { port, release }
    release()
  }
  throw new Error(`all ports from ${range.first} are taken`)
}

export const isReusablePort = (port: number): boolean => port >= range.first && port < range.first + range.size

/** Listens on a port for a moment; 0 means any free port. @returns the port; undefined when it is taken */
async function tryToListen(wanted: number): Promise<number | undefined> {
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
