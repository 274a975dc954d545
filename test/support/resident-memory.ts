import { readdirSync, readFileSync } from 'node:fs'

/** Bytes in memory of a process, and with all that it started; what these share is counted once. Linux tells it. */
export function residentOf(pid: number): { server: number; all: number } {
  const told = (of: string, file: string) => {
    try {
      return readFileSync(`/proc/${of}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  const field = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const family = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    return Number(name) === pid || field(told(name, 'status'), 'PPid') === pid
  })
  const all = family.reduce((sum, name) => sum + field(told(name, 'smaps_rollup'), 'Pss') * 1_024, 0)
  return { server: field(told(String(pid), 'status'), 'VmRSS') * 1_024, all }
}
