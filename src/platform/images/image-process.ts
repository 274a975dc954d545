import { receiveTask } from '../task-process.ts'
import type { ImageTask } from './image-tasks.ts'
import { runImageTask } from './run-image-task.ts'

/*
 * The entry point of the child process: it reads one task from standard input, writes the result to standard output and
 * exits. Decoding memory is freed with it, and a broken image can crash it alone. It exits when its input ends or its
 * memory exceeds the limit, so none outlives the server.
 */

const memoryBytes = Number(process.argv[2])
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) {
    process.stderr.write('it took too much memory\n', () => process.exit(1))
  }
}, 50).unref()
const task = await receiveTask<ImageTask>(() => process.exit(1))
process.stdout.write(JSON.stringify(await runImageTask(task)), () => process.exit(0))
