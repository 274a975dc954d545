import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Runs a command of the built program, as its operator does. */
export async function operate(
  settings: Record<string, string>,
  args: string[],
  input = '',
): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['dist/server/cli.js', ...args], { env: { PATH, HOME, ...settings } })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}
