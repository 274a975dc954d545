import { readdirSync, readFileSync } from 'node:fs'

/** The nice values of all threads of a process that have not ended meanwhile (Linux only). */
export const prioritiesOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17])
    } catch {
      return []
    }
  })
