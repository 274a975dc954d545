import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { UnusableArchive } from './unusable-archive.ts'

const unfinished = '.unpacking'

/**
 * Unpacks the archive of a release (`.tar`, `.tar.gz` or `.tgz`) into a folder below `into` that is named after its
 * content, so that the same archive is unpacked once. What was unpacked before and is not `kept` is removed.
 * @returns the folder of the release
 * @throws {UnusableArchive} for one that would write elsewhere, too, without having written there
 */
export async function unpackRelease(archive: string, into: string, kept: readonly string[]): Promise<string> {
  const name = `release-${(await hashOf(archive)).slice(0, 16)}`
  const folder = join(into, name)
  for (const other of await readdir(into).catch(() => [])) {
    const path = join(into, other)
    if (other !== name && !kept.some((one) => one === path || one.startsWith(`${path}/`)))
      await rm(path, { recursive: true, force: true })
  }
  if (!existsSync(folder)) {
    const temporary = join(into, `${unfinished}-${process.pid}`)
    await mkdir(temporary, { recursive: true, mode: 0o700 })
    try {
      await unpack(archive, temporary)
      await rename(temporary, folder)
    } finally {
      await rm(temporary, { recursive: true, force: true })
    }
  }
  if (existsSync(join(folder, 'release.json'))) return folder
  const [only, ...others] = await readdir(folder)
  if (only !== undefined && others.length === 0 && existsSync(join(folder, only, 'release.json')))
    return join(folder, only)
  throw new UnusableArchive(archive, 'has no release.json: it is not the archive of a release')
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function unpack(archive: string, folder: string): Promise<void> {
  const extract = tar.extract()
  const source = createReadStream(archive)
  const read = /\.t?gz$/.test(basename(archive)) ? pipeline(source, createGunzip(), extract) : pipeline(source, extract)
  const written = (async () => {
    for await (const entry of extract) {
      const { name, type, mode } = entry.header
      const path = normalize(name)
      if (name.includes('\0') || path.startsWith('/') || path.split('/').includes('..')) {
        throw new UnusableArchive(archive, `would write outside its folder: ${JSON.stringify(name)}`)
      }
      if (type === 'directory') {
        await mkdir(join(folder, path), { recursive: true, mode: 0o700 })
        entry.resume()
      } else if (type === 'file') {
        await mkdir(join(folder, path, '..'), { recursive: true, mode: 0o700 })
        const isProgram = ((mode ?? 0) & 0o111) !== 0
        await pipeline(entry, createWriteStream(join(folder, path), { flags: 'wx', mode: isProgram ? 0o700 : 0o600 }))
      } else throw new UnusableArchive(archive, `contains a ${type}, which a release does not: ${JSON.stringify(name)}`)
    }
  })()
  try {
    await Promise.all([read, written])
  } catch (error) {
    extract.destroy()
    await Promise.allSettled([read, written])
    throw error instanceof UnusableArchive || (error as NodeJS.ErrnoException).syscall !== undefined
      ? error
      : new UnusableArchive(archive, 'cannot be unpacked', error)
  }
}
