import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { closeAfterTest } from './close-after-test.ts'

/** Whether this process may mount, as root on Linux mostly may. */
export const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0

/** Makes a folder that is a disk of this size, until the test ends. @returns the folder */
export function aSmallDisk(folder: string, bytes: number): string {
  mkdirSync(folder, { recursive: true })
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder])
  if (status !== 0) throw new Error(`no disk was mounted: ${stderr}`)
  closeAfterTest(() => void spawnSync('umount', [folder]))
  return folder
}
