import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { buildCachedResponse, type CachedResponse } from './page-cache.ts'
import { assetSecurityHeaders, securityHeaders } from './security-headers.ts'

const types: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const assetExtensions = new Set(['.css', '.js', '.woff2'])
const compressibleExtensions = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest'])

export const contentType = (path: string) => types[extname(path)] ?? 'application/octet-stream'

/**
 * The files of some folders, by the path of their URL, in any percent-encoding. They are listed once, so no URL can reach a
 * file that did not exist at the start.
 * @param folders `at` is the URL prefix; `forever` is for names that contain a content hash
 */
export function publicFiles(folders: { folder: string; at: string; forever: boolean }[], origin: string) {
  const files = new Map<string, { path: string; forever: boolean }>()
  for (const { folder, at, forever } of folders) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue
      const path = join(name.parentPath, name.name)
      // A precompressed file is an encoding of another file, not a file of its own.
      if (forever && path.endsWith('.br')) continue
      files.set(encodeURI(`${at}${path.slice(folder.length).replaceAll('\\', '/')}`.normalize()), { path, forever })
    }
  }
  return {
    has: (address: string) => files.has(normalized(address)),
    /** The normalized address of a file, which is its key in the cache; undefined for none. */
    find(address: string): string | undefined {
      const key = normalized(address)
      return files.has(key) ? key : undefined
    },
    async read(address: string): Promise<CachedResponse> {
      const file = files.get(normalized(address))
      if (!file) throw new Error(`${address} is not a public file`)
      const ready = `${file.path}.br`
      const compressible = compressibleExtensions.has(extname(file.path))
      return buildCachedResponse({
        body: await readFile(file.path),
        brotli: file.forever && existsSync(ready) ? await readFile(ready) : undefined,
        headers: [
          ['Content-Type', contentType(file.path)],
          ['Cache-Control', file.forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'],
          ...(compressible ? ([['Vary', 'Accept-Encoding']] as [string, string][]) : []),
          ...(assetExtensions.has(extname(file.path)) ? assetSecurityHeaders : securityHeaders(origin)),
        ],
        tags: [],
        compressible,
      })
    },
  }
}

/** An invalid encoding such as `%zz` is no file. */
function normalized(address: string): string {
  try {
    return encodeURI(decodeURIComponent(address).normalize())
  } catch {
    return ''
  }
}

export type PublicFiles = ReturnType<typeof publicFiles>
