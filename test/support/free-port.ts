import { once } from 'node:events'
import { createServer } from 'node:net'

/** A loopback port that is free at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}

/**
 * The port for one program at a time of this worker: a browser keeps what it compiled by address. The system itself gives
 * out no port as low as this one.
 */
export const usualPort = 20_000 + (process.pid % 12_000)

/** Whether nothing listens on a loopback port. */
export async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
