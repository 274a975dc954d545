import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { closeAfterTest } from './close-after-test.ts'

/** Whether this process may mount file systems, which root on Linux usually may. */
export const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0

/** Makes a folder and mounts a file system of this size on it, until the test ends. @returns the folder */
export function aSmallDisk(folder: string, bytes: number): string {
  mkdirSync(folder, { recursive: true })
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder])
  if (status !== 0) throw new Error(`no disk was mounted: ${stderr}`)
  closeAfterTest(() => void spawnSync('umount', [folder]))
  return folder
}
