import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { buildCachedResponse, type CachedResponse } from './page-cache.ts'
import { assetSecurityHeaders, securityHeaders } from './security-headers.ts'

const mediaTypes: Record<string, string> = {
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

/** The media type of a path, by its extension. */
export const contentType = (path: string) => mediaTypes[extname(path)] ?? 'application/octet-stream'

/**
 * Serves the files of some folders by the path of their URL, in any percent-encoding. The files are listed once, so no
 * URL can reach a file that did not exist at the start.
 * @param folders `immutable`: the names of the files contain a hash of their content
 * @param origin the site's current origin, which changes with the configuration
 */
export function publicFiles(
  folders: { folder: string; urlPrefix: string; immutable: boolean }[],
  origin: () => string,
) {
  const files = new Map<string, { path: string; immutable: boolean }>()
  for (const { folder, urlPrefix, immutable } of folders) {
    if (!existsSync(folder)) continue
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      // A precompressed file is an encoding of another file, and has no URL.
      if (immutable && path.endsWith('.br')) continue
      files.set(encodeURI(`${urlPrefix}${path.slice(folder.length).replaceAll('\\', '/')}`.normalize()), {
        path,
        immutable,
      })
    }
  }
  return {
    has: (address: string) => files.has(normalize(address)),
    /** The normalized path of a file, which is its key in the page cache; undefined: there is no such file. */
    find(address: string): string | undefined {
      const key = normalize(address)
      return files.has(key) ? key : undefined
    },
    /** @throws when there is no such file */
    async read(address: string): Promise<CachedResponse> {
      const file = files.get(normalize(address))
      if (!file) throw new Error(`${address} is not a public file`)
      const brotliPath = `${file.path}.br`
      const isAsset = assetExtensions.has(extname(file.path))
      const compressible = compressibleExtensions.has(extname(file.path))
      return buildCachedResponse({
        body: await readFile(file.path),
        brotli: file.immutable && existsSync(brotliPath) ? await readFile(brotliPath) : undefined,
        headers: [
          ['Content-Type', contentType(file.path)],
          ['Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'],
          ...(compressible ? ([['Vary', 'Accept-Encoding']] as [string, string][]) : []),
          ...(isAsset ? assetSecurityHeaders : securityHeaders(origin())),
        ],
        // The headers of other files depend on the origin.
        tags: isAsset ? [] : ['site'],
        compressible,
      })
    },
  }
}

/** The path in one percent-encoding; '' for an invalid encoding such as `%zz`. */
function normalize(address: string): string {
  try {
    return encodeURI(decodeURIComponent(address).normalize())
  } catch {
    return ''
  }
}

export type PublicFiles = ReturnType<typeof publicFiles>
