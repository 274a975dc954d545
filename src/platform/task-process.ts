import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'

/**
 * Sends a task to a child process that was just started, and lowers the priority of the process where the system allows
 * it. Its standard input stays open: its end tells the process that the server has exited, or wants it to stop.
 */
export function sendTask(child: ChildProcess, task: unknown, priority: number): void {
  // Writing fails if the process has ended already, which its `exit` event reports.
  child.stdin?.on('error', () => {})
  if (child.pid !== undefined) lowerPriority(child.pid, priority)
  child.stdin?.write(`${JSON.stringify(task)}\n`)
}

/**
 * Reads the task of this child process. From now on, the process ignores the signals that a service manager or Ctrl+C
 * also sends to the children of the server: the server decides when it stops.
 * @param onEnd called when the server has exited, or wants this process to stop
 */
export async function receiveTask<Task>(onEnd: () => void): Promise<Task> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
  const input = createInterface({ input: process.stdin })
  const [line] = (await once(input, 'line')) as [string]
  input.once('close', onEnd)
  return JSON.parse(line)
}

/** On Linux each thread has its own priority, and the process may have started threads already. */
function lowerPriority(pid: number, priority: number): void {
  lowerThread(pid, priority)
  for (const thread of threadsOf(pid)) lowerThread(thread, priority)
}

/** The ids of the threads of a process; none if it has ended, or the system is not Linux. */
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

const minWorkMs = 0.5
const minRestMs = 1

/**
 * From now on, this process sleeps after each half millisecond of work, for as long as it worked, at least a
 * millisecond. Without this, the system lets a busy process run for up to 4 ms whatever its priority, and a server on
 * the same processor waits. Work that blocks the event loop is not interrupted: it must be done in short steps.
 */
export function throttleCpu(): void {
  const neverNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let usageAfterRest = process.cpuUsage()
  setInterval(() => {
    const { user, system } = process.cpuUsage(usageAfterRest)
    const workedMs = (user + system) / 1_000
    if (workedMs < minWorkMs) return
    // Blocks the event loop on purpose: with a timer, its other work would continue.
    Atomics.wait(neverNotified, 0, 0, Math.max(workedMs, minRestMs))
    usageAfterRest = process.cpuUsage()
  }, 1).unref()
}
