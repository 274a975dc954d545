import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'

/**
 * Gives a process that was just started its task, and a lower priority where the system allows it. Its standard input stays
 * open: the end of it tells the process that the server has exited, or wants it to stop.
 */
export function giveTask(child: ChildProcess, task: unknown, priority: number): void {
  // The process may have ended already, which its exit tells.
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

function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {}
}
