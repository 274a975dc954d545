import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'

/**
 * Sends a process that was just started its task, and gives it a lower priority where the system allows it. Its standard input stays
 * open: the end of it tells the process that the server has exited, or wants it to stop.
 */
export function sendTask(child: ChildProcess, task: unknown, priority: number): void {
  // The process may have ended already, which its exit reports.
  child.stdin?.on('error', () => {})
  if (child.pid !== undefined) lowerPriority(child.pid, priority)
  child.stdin?.write(`${JSON.stringify(task)}\n`)
}

/**
 * Reads the task of this process. From then on it ignores the signals that a service manager or Ctrl+C sends to the server
 * and its children alike: the server ends it when it must.
 * @param end is called when the server has exited, or wants this process to stop
 */
export async function receiveTask<Task>(end: () => void): Promise<Task> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
  const input = createInterface({ input: process.stdin })
  const [line] = (await once(input, 'line')) as [string]
  input.once('close', end)
  return JSON.parse(line)
}

/** On Linux each thread has a priority, which it gives to those that it starts; a busy machine may have let it start some already. */
function lowerPriority(pid: number, priority: number): void {
  lowerThread(pid, priority)
  for (const thread of threadsOf(pid)) lowerThread(thread, priority)
}

/** None on another system, or when the process has ended. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return []
  }
}

function lowerThread(id: number, priority: number): void {
  try {
    setPriority(id, priority)
  } catch {
    // It has ended, or the system does not allow it.
  }
}

const minWorkedMs = 0.5
const restAtLeastMs = 1

/**
 * From now on this process rests after each half millisecond of work, for as long as it worked, and for a millisecond at least. Without
 * that the system lets a process that computes go on for up to 4 ms whatever its priority, and a server on the same processor waits.
 * Work that never lets the event loop go on is not interrupted: it has to be done in short steps.
 */
export function throttleCpu(): void {
  const neverNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let usageAfterRest = process.cpuUsage()
  setInterval(() => {
    const { user, system } = process.cpuUsage(usageAfterRest)
    const worked = (user + system) / 1_000
    if (worked < minWorkedMs) return
    // The whole process sleeps: a timer would let the other work of the event loop go on.
    Atomics.wait(neverNotified, 0, 0, Math.max(worked, restAtLeastMs))
    usageAfterRest = process.cpuUsage()
  }, 1).unref()
}
