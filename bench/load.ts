import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { processorSeconds, type Running } from './program.ts'

export interface Load {
  /** Responses a second, all with the expected status. */
  rate: number
  p99Ms: number
  /** Processor time of the server for one response, in microseconds: it does not depend on the speed of the client. */
  microseconds: number | undefined
}

/** Headers that browsers send and wrk does not. */
export const browserHeaders = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'accept-encoding': 'gzip, deflate, br, zstd',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
}

const connections = 32

/** Requests a path for some seconds. @throws when a response is not a 2xx, because a fast error is no result */
export async function loadPage(
  running: Running,
  path: string,
  { seconds = 4, headers = {} }: { seconds?: number; headers?: Record<string, string> } = {},
): Promise<Load> {
  const { wrongStatus, ...load } = await measured(running, path, {
    seconds,
    headers: { ...browserHeaders, ...headers },
  })
  if (wrongStatus > 0) throw new Error(`${running.url}${path}: ${wrongStatus} responses without a 2xx status`)
  return load
}

/** Requests a path that refuses, for some seconds. @throws when a response is a 2xx */
export async function loadRefused(running: Running, path: string, headers: Record<string, string>): Promise<Load> {
  const { wrongStatus, responses, ...load } = await measured(running, path, { seconds: 4, headers })
  if (wrongStatus !== responses) throw new Error(`${running.url}${path}: ${responses - wrongStatus} not refused`)
  return load
}

/** Requests `/` at least this many times. */
export async function requestHome(running: Running, amount: number): Promise<void> {
  for (let sent = 0; sent < amount; ) {
    sent += (await measured(running, '/', { seconds: 1, headers: browserHeaders })).responses
  }
}

let runs = 0

/** Posts contact messages that all differ. */
export async function loadContact(running: Running, seconds: number): Promise<Load> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const { wrongStatus, ...load } = await measured(running, '/api/contact', {
    seconds,
    headers,
    script: ['contact', String(runs++)],
  })
  if (wrongStatus > 0) throw new Error(`${wrongStatus} messages were not accepted`)
  return load
}

/** @throws when a connection fails or nothing is answered */
async function measured(
  running: Running,
  path: string,
  how: { seconds: number; headers: Record<string, string>; script?: string[] },
): Promise<Load & { responses: number; wrongStatus: number }> {
  const url = running.url + path
  const before = processorSeconds(running.pid)
  const { stdout } = await promisify(execFile)('wrk', [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${how.seconds}s`, '--timeout', '20s'],
    ...Object.entries(how.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...['--script', join(import.meta.dirname, 'wrk.lua'), url, '--', ...(how.script ?? [])],
  ])
  const after = processorSeconds(running.pid)
  const result: { seconds: number; responses: number; p99Ms: number; wrongStatus: number; failed: number } = JSON.parse(
    stdout.trim().split('\n').at(-1) as string,
  )
  if (result.failed > 0 || result.responses === 0) {
    throw new Error(`${url}: ${result.responses} responses, ${result.failed} failed`)
  }
  return {
    rate: result.responses / result.seconds,
    p99Ms: result.p99Ms,
    microseconds: before !== undefined && after !== undefined ? ((after - before) / result.responses) * 1e6 : undefined,
    responses: result.responses,
    wrongStatus: result.wrongStatus,
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
