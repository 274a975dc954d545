import { readdirSync, readFileSync } from 'node:fs'

/**
 * The memory of a process in bytes (Linux only).
 * @returns `server`: its resident memory; `all`: that of the process and its children, with shared pages counted once
 */
export function residentMemory(pid: number): { server: number; all: number } {
  const readProcFile = (id: string, file: string) => {
    try {
      return readFileSync(`/proc/${id}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  const readField = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const processIds = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    return Number(name) === pid || readField(readProcFile(name, 'status'), 'PPid') === pid
  })
  const all = processIds.reduce((sum, name) => sum + readField(readProcFile(name, 'smaps_rollup'), 'Pss') * 1_024, 0)
  return { server: readField(readProcFile(String(pid), 'status'), 'VmRSS') * 1_024, all }
}
