import { readdirSync, readFileSync } from 'node:fs'

/** Memory of a process and of its child processes in bytes, shared pages counted once (Linux only). */
export function residentMemory(pid: number): { server: number; all: number } {
  const readProc = (of: string, file: string) => {
    try {
      return readFileSync(`/proc/${of}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  const field = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const family = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    return Number(name) === pid || field(readProc(name, 'status'), 'PPid') === pid
  })
  const all = family.reduce((sum, name) => sum + field(readProc(name, 'smaps_rollup'), 'Pss') * 1_024, 0)
  return { server: field(readProc(String(pid), 'status'), 'VmRSS') * 1_024, all }
}
