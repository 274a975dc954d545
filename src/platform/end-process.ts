import { setTimeout as pause } from 'node:timers/promises'

/** Whether a thread is reading, writing or closing a file; `process.exit` waits for it. */
const isUsingFiles = () =>
  process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq') || name === 'CloseReq')

/** Waits up to a second for files that are still open: a read that was aborted with its request ends soon. */
export async function waitForOpenFiles(): Promise<void> {
  for (let turn = 0; turn < 20 && isUsingFiles(); turn++) await pause(50)
}

/**
 * Ends this process: by SIGKILL while a thread is using a file, because `process.exit` would wait for a folder that
 * does not respond, such as a mount of a server that is down.
 */
export function endProcess(code: number): never {
  if (isUsingFiles()) process.kill(process.pid, 'SIGKILL')
  // Reached despite the signal in the first process of a container, for which the system ignores the signal.
  process.exit(code)
}
