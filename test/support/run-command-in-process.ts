import { vi } from 'vitest'
import { operatorMessage } from '../../src/platform/operator-message.ts'

/**
 * Runs a command of the command line in this process, which takes a fraction of the time of a separate one.
 * @param settings environment variables for the command, restored afterwards
 * @returns the exit code and the output; an error as the program would print it
 */
export async function runCommandInProcess(
  settings: Record<string, string>,
  command: () => Promise<number>,
): Promise<{ code: number; out: string; err: string }> {
  // Vite has a BASE_URL of its own.
  for (const [name, value] of Object.entries({ BASE_URL: '', ...settings })) vi.stubEnv(name, value)
  const [out, err]: [string[], string[]] = [[], []]
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
  ]
  try {
    const code = await command().catch((error) => {
      err.push(`${operatorMessage(error)}\n`)
      return 1
    })
    return { code, out: out.join(''), err: err.join('') }
  } finally {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
  }
}
