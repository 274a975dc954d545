import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { UnusableArchive } from './unusable-archive.ts'

/**
 * Unpacks the archive of a release (`.tar`, `.tar.gz` or `.tgz`) into a new folder below `into`. Existing contents
 * of a folder are not trusted, because the running program can write there.
 * @param options.inUse folders that are not removed, as others in `into` are
 * @param options.room it may not take more bytes than this
 * @returns the folder of the release, and the SHA-256 of the archive in hex
 * @throws {UnusableArchive} for one that would write elsewhere, too, without having written there
 */
export async function unpackRelease(
  archive: string,
  into: string,
  options: { inUse: readonly string[]; room: number },
): Promise<{ folder: string; hash: string }> {
  await removeOthers(into, options.inUse)
  const unpacked = await mkdtemp(join(into, '.unpacking-'))
  try {
    const hash = await unpack(archive, unpacked, options.room)
    const inside = await findReleaseIn(unpacked)
    if (inside === undefined) {
      throw new UnusableArchive(`${archive} has no release.json: it is not the archive of a release`)
    }
    const folder = join(into, `release-${hash.slice(0, 16)}-${unpacked.slice(-6)}`)
    await rename(unpacked, folder)
    return { folder: join(folder, inside), hash }
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true })
    throw error
  }
}

/** Compares without links: the data folder may be one. */
async function removeOthers(into: string, inUse: readonly string[]): Promise<void> {
  const withoutLinks = (path: string) => realpath(path).catch(() => path)
  const pathsInUse = await Promise.all(inUse.map(withoutLinks))
  for (const name of await readdir(into)) {
    const path = join(into, name)
    const real = await withoutLinks(path)
    if (!pathsInUse.some((one) => one === real || one.startsWith(`${real}/`)))
      await rm(path, { recursive: true, force: true })
  }
}

/** @returns the name of the only folder in it, or an empty one */
async function findReleaseIn(folder: string): Promise<string | undefined> {
  if (existsSync(join(folder, 'release.json'))) return ''
  const [only, ...others] = await readdir(folder)
  const isInside = only !== undefined && others.length === 0 && existsSync(join(folder, only, 'release.json'))
  return isInside ? only : undefined
}

/** @returns the SHA-256 of the archive, in hex */
async function unpack(archive: string, folder: string, room: number): Promise<string> {
  const extract = tar.extract()
  const source = createReadStream(archive)
  const hash = createHash('sha256')
  source.on('data', (data) => hash.update(data))
  let bytes = 0
  let tooLarge: UnusableArchive | undefined
  const withinRoom = async function* (content: AsyncIterable<Buffer>) {
    for await (const data of content) {
      bytes += data.length
      if (bytes > room) {
        tooLarge = new UnusableArchive(`${archive} takes more than ${room} bytes when unpacked`)
        throw tooLarge
      }
      yield data
    }
  }
  const read = /\.t?gz$/.test(basename(archive))
    ? pipeline(source, createGunzip(), withinRoom, extract)
    : pipeline(source, withinRoom, extract)
  const written = (async () => {
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
        const isProgram = ((mode ?? 0) & 0o111) !== 0
        await pipeline(entry, createWriteStream(join(folder, path), { flags: 'wx', mode: isProgram ? 0o700 : 0o600 }))
      } else
        throw new UnusableArchive(`${archive} contains a ${type}, which a release does not: ${JSON.stringify(name)}`)
    }
  })()
  try {
    await Promise.all([read, written])
    return hash.digest('hex')
  } catch (error) {
    extract.destroy()
    await Promise.allSettled([read, written])
    throw (
      tooLarge ??
      (error instanceof UnusableArchive || (error as NodeJS.ErrnoException).syscall !== undefined
        ? error
        : new UnusableArchive(`${archive} cannot be unpacked`, error))
    )
  }
}
