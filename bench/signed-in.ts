import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { browserHeaders, median } from './load.ts'
import type { Running } from './program.ts'

/** Settings that create the administrator. */
export const admin = { ADMIN_EMAIL: 'bench@example.nl', ADMIN_PASSWORD: 'alleen-voor-de-meting' }

/** @returns the cookie */
export async function signIn(running: Running): Promise<string> {
  const answer = await fetch(`${running.url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD }),
  })
  if (answer.status !== 200) throw new Error(`signing in: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** The administrator is created a moment after the first page response. */
export async function firstSignIn(running: Running): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      return await signIn(running)
    } catch (error) {
      if (tries === 5) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** Milliseconds for one sequential request, of some hundreds: the median and the 99th percentile. */
export async function timesOf(
  running: Running,
  path: string,
  cookie: string,
  rounds = 250,
): Promise<{ median: number; p99: number }> {
  const agent = new Agent({ keepAlive: true })
  const headers = { ...browserHeaders, ...(cookie && { cookie }) }
  const times: number[] = []
  for (let round = -Math.min(50, rounds); round < rounds; round++) {
    const taken = await timeOf(running.url + path, { agent, headers })
    if (round >= 0) times.push(taken)
  }
  agent.destroy()
  return { median: median(times), p99: p99(times) }
}

/** Not by `fetch`: it decompresses, and each hundredth response then waits for a full garbage collection of the client. */
async function timeOf(url: string, options: RequestOptions): Promise<number> {
  const begun = performance.now()
  const [answer]: IncomingMessage[] = await once(request(url, options).end(), 'response')
  if (!answer) throw new Error(`${url}: no response`)
  await once(answer.resume(), 'end')
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`)
  return performance.now() - begun
}

export const p99 = (times: number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number
