import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { UnusableArchive } from './unusable-archive.ts'

/**
 * Unpacks the archive of a release (`.tar`, `.tar.gz` or `.tgz`) into a new folder in `into`, always afresh: an earlier
 * folder is not trusted, because the running server can write there. Other folders in `into` are removed.
 * @param options.inUse folders that are not removed
 * @param options.maxBytes the maximum unpacked size
 * @returns the folder of the release, and the SHA-256 of the archive in hex
 * @throws {UnusableArchive} also for an archive that would write outside its folder, before it does
 */
export async function unpackRelease(
  archive: string,
  into: string,
  options: { inUse: readonly string[]; maxBytes: number },
): Promise<{ folder: string; hash: string }> {
  await removeUnused(into, options.inUse)
  const unpacked = await mkdtemp(join(into, '.unpacking-'))
  try {
    const hash = await unpack(archive, unpacked, options.maxBytes)
    const releasePath = await findReleaseIn(unpacked)
    if (releasePath === undefined) {
      throw new UnusableArchive(`${archive} has no release.json: it is not the archive of a release`)
    }
    const folder = join(into, `release-${hash.slice(0, 16)}-${unpacked.slice(-6)}`)
    await rename(unpacked, folder)
    return { folder: join(folder, releasePath), hash }
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true })
    throw error
  }
}

/**
 * Removes everything in a folder that does not contain a path in use. Symbolic links are resolved: the data folder may
 * be one.
 */
async function removeUnused(into: string, inUse: readonly string[]): Promise<void> {
  const resolveLinks = (path: string) => realpath(path).catch(() => path)
  const pathsInUse = await Promise.all(inUse.map(resolveLinks))
  for (const name of await readdir(into)) {
    const path = join(into, name)
    const realPath = await resolveLinks(path)
    if (!pathsInUse.some((used) => used === realPath || used.startsWith(`${realPath}/`)))
      await rm(path, { recursive: true, force: true })
  }
}

/** @returns the path of the release in a folder: empty, or the name of the only folder in it; undefined when there is none */
async function findReleaseIn(folder: string): Promise<string | undefined> {
  if (existsSync(join(folder, 'release.json'))) return ''
  const names = await readdir(folder)
  const [name] = names
  const isRelease = name !== undefined && names.length === 1 && existsSync(join(folder, name, 'release.json'))
  return isRelease ? name : undefined
}

/** @returns the SHA-256 of the archive in hex */
async function unpack(archive: string, folder: string, maxBytes: number): Promise<string> {
  const extract = tar.extract()
  const source = createReadStream(archive)
  const hash = createHash('sha256')
  source.on('data', (data) => hash.update(data))
  let bytes = 0
  let tooLarge: UnusableArchive | undefined
  const limitSize = async function* (content: AsyncIterable<Buffer>) {
    for await (const data of content) {
      bytes += data.length
      if (bytes > maxBytes) {
        tooLarge = new UnusableArchive(`${archive} takes more than ${maxBytes} bytes when unpacked`)
        throw tooLarge
      }
      yield data
    }
  }
  const reading = /\.t?gz$/.test(basename(archive))
    ? pipeline(source, createGunzip(), limitSize, extract)
    : pipeline(source, limitSize, extract)
  const writing = (async () => {
    for await (const entry of extract) {
      const { name, type, mode } = entry.header
      const path = normalize(name)
      if (name.includes('\0') || path.startsWith('/') || path.split('/').includes('..')) {
        throw new UnusableArchive(`${archive} would write outside its folder: ${JSON.stringify(name)}`)
      }
      if (type === 'directory') {
        await mkdir(join(folder, path), { recursive: true, mode: 0o700 })
        entry.resume()
      } else if (type === 'file') {
        await mkdir(join(folder, path, '..'), { recursive: true, mode: 0o700 })
        const isExecutable = ((mode ?? 0) & 0o111) !== 0
        await pipeline(
          entry,
          createWriteStream(join(folder, path), { flags: 'wx', mode: isExecutable ? 0o700 : 0o600 }),
        )
      } else
        throw new UnusableArchive(`${archive} contains a ${type}, which a release does not: ${JSON.stringify(name)}`)
    }
  })()
  try {
    await Promise.all([reading, writing])
    return hash.digest('hex')
  } catch (error) {
    extract.destroy()
    await Promise.allSettled([reading, writing])
    if (tooLarge) throw tooLarge
    // An error with `syscall` is of this machine, not of the archive.
    if (error instanceof UnusableArchive || (error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new UnusableArchive(`${archive} cannot be unpacked`, error)
  }
}
