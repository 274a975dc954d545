import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The port of the first program of each file in this worker, so that a browser finds what it has compiled for the file
 * before. Systems give no connection a port as low as this.
 */
export const workerPort = 20_000 + (process.pid % 10_000)

/** Whether nothing listens at a loopback port at this moment. */
export const isFree = (port: number): Promise<boolean> =>
  freePort(port).then(
    () => true,
    () => false,
  )

/** A loopback port that is free at this moment. @throws when the wanted one is not free */
export async function freePort(wanted = 0): Promise<number> {
  const probe = createServer().listen(wanted, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}
