import { readdirSync, readFileSync } from 'node:fs'

/** The nice values of the threads of a process, except those that end meanwhile (Linux only). */
export const threadPrioritiesOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17])
    } catch {
      return []
    }
  })
