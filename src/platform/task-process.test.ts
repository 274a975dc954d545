import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { closeAfterTest } from '../../test/support/close-after-test.ts'
import { threadPrioritiesOf } from '../../test/support/thread-priorities.ts'
import { sendTask } from './task-process.ts'

test.runIf(process.platform === 'linux')(
  'a process that has already started its threads gets a low priority for all of them',
  async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("started"); process.stdin.resume()'])
    closeAfterTest(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    sendTask(child, {}, 10)
    const priorities = threadPrioritiesOf(Number(child.pid))
    expect(priorities.length).toBeGreaterThan(1)
    expect(new Set(priorities)).toEqual(new Set([10]))
  },
)
