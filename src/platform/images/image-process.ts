import { receiveTask } from '../task-process.ts'
import type { ImageTask } from './image-tasks.ts'
import { runImageTask } from './run-image-task.ts'

/*
 * The entry point of the image process, a child process: it reads one task from standard input, writes the result to
 * standard output and exits, which frees the memory of decoding. A broken image can only crash this process. It also
 * exits when its input ends, so it never outlives the server, and when its memory exceeds the limit.
 */

const memoryBytes = Number(process.argv[2])
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) {
    process.stderr.write('it took too much memory\n', () => process.exit(1))
  }
}, 50).unref()
const task = await receiveTask<ImageTask>(() => process.exit(1))
process.stdout.write(JSON.stringify(await runImageTask(task)), () => process.exit(0))
