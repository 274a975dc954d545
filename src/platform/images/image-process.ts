import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { runImageTask } from './run-image-task.ts'

/*
 * The entry point of the child process: it reads one task from standard input, writes the result to standard output and
 * exits. Decoding memory is freed with it, and a broken image can crash it alone. It exits when its input ends or its
 * memory exceeds the limit, so none outlives the server.
 */

// A service manager, or Ctrl+C, signals the server and its children alike; the server ends this process when it must.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})

const memoryBytes = Number(process.argv[2])
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) {
    process.stderr.write('it took too much memory\n', () => process.exit(1))
  }
}, 50).unref()
const input = createInterface({ input: process.stdin })
const [line] = (await once(input, 'line')) as [string]
input.once('close', () => process.exit(1))
process.stdout.write(JSON.stringify(await runImageTask(JSON.parse(line))), () => process.exit(0))
