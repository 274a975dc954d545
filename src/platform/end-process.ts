import { setTimeout as pause } from 'node:timers/promises'

/** Whether a file is being read, written or closed, in a thread that `process.exit` waits for. */
const isUsingFiles = () =>
  process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq') || name === 'CloseReq')

/** Waits up to a second for files that are still open: a read that was aborted with its request ends soon. */
export async function waitForOpenFiles(): Promise<void> {
  for (let turn = 0; turn < 20 && isUsingFiles(); turn++) await pause(50)
}

/**
 * Ends this process: by SIGKILL when a thread waits for a folder that does not answer, such as a mount of a server that is gone,
 * because `process.exit` would wait for it too.
 */
export function endProcess(code: number): never {
  if (isUsingFiles()) process.kill(process.pid, 'SIGKILL')
  // Reached in spite of the signal by the first process of a container, for which the system ignores it.
  process.exit(code)
}
