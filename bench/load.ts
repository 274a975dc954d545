import autocannon from 'autocannon'
import { processorSeconds, type Running } from './program.ts'

export interface Load {
  /** Answers a second, all with the status expected. */
  rate: number
  p99Ms: number
  /** Processor time of the server for one answer, in microseconds: it does not depend on how fast the asking side is. */
  microseconds: number | undefined
}

/** What browsers send and Node's cheapest client would not. */
const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'accept-encoding': 'gzip, deflate, br, zstd',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
}

const connections = 64

/** @throws when an answer is not a 2xx: a fast error is no result */
export async function loadPage(
  running: Running,
  path: string,
  how: { seconds?: number; amount?: number; headers?: Record<string, string> },
): Promise<Load> {
  return measured(running, {
    url: running.url + path,
    connections,
    ...(how.amount ? { amount: how.amount } : { duration: how.seconds ?? 5 }),
    headers: { ...browser, ...how.headers },
  })
}

let posted = 0

/** Every message is another, for the same one twice counts once. */
export async function loadContact(running: Running, seconds: number): Promise<Load> {
  return measured(running, {
    url: `${running.url}/api/contact`,
    method: 'POST',
    connections: 32,
    duration: seconds,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({
            naam: 'Roya Moradi',
            email: 'roya@example.nl',
            tel: '043 123 45 67',
            bericht: `Goedendag, ik zoek een website voor mijn praktijk. Bericht ${posted++}.`,
          }),
        }),
      },
    ],
  })
}

async function measured(running: Running, options: autocannon.Options): Promise<Load> {
  const before = processorSeconds(running.pid)
  const result = await autocannon(options)
  const after = processorSeconds(running.pid)
  const answers = result['2xx']
  if (result.non2xx > 0 || result.errors > 0 || answers === 0) {
    throw new Error(`${options.url}: ${result.non2xx} wrong answers, ${result.errors} errors, ${answers} right ones`)
  }
  return {
    rate: answers / result.duration,
    p99Ms: result.latency.p99,
    microseconds: before !== undefined && after !== undefined ? ((after - before) / answers) * 1e6 : undefined,
  }
}

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

export const medianLoad = (loads: Load[]): Load => ({
  rate: median(loads.map((one) => one.rate)),
  p99Ms: median(loads.map((one) => one.p99Ms)),
  microseconds: loads.every((one) => one.microseconds !== undefined)
    ? median(loads.map((one) => one.microseconds as number))
    : undefined,
})
