import { readdirSync, readFileSync } from 'node:fs'

/** The nice values of all threads of a process (Linux only). */
export const prioritiesOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17])
  })
