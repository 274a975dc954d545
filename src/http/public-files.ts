import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type KeptAnswer, makeAnswer } from './kept-answers.ts'
import { securityHeaders } from './security-headers.ts'

const types: Record<string, string> = {
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
const packed = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest'])

export const contentType = (path: string) => types[extname(path)] ?? 'application/octet-stream'

/**
 * The files of some folders, by the address each has. They are listed once, so an address can reach nothing that was
 * not there at the start.
 * @param folders `at` is the address they stand under; `forever` is for names that carry a hash of what is inside
 */
export function publicFiles(folders: { folder: string; at: string; forever: boolean }[], origin: string) {
  const files = new Map<string, { path: string; forever: boolean }>()
  for (const { folder, at, forever } of folders) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue
      const path = join(name.parentPath, name.name)
      // What the build packed is no file of its own, but how another is sent.
      if (forever && path.endsWith('.br')) continue
      files.set(`${at}${path.slice(folder.length).replaceAll('\\', '/')}`, { path, forever })
    }
  }
  return {
    has: (address: string) => files.has(address),
    async read(address: string): Promise<KeptAnswer> {
      const file = files.get(address)
      if (!file) throw new Error(`${address} is not a public file`)
      const ready = `${file.path}.br`
      return makeAnswer({
        body: await readFile(file.path),
        brotli: file.forever && existsSync(ready) ? await readFile(ready) : undefined,
        headers: [
          ['Content-Type', contentType(file.path)],
          ['Cache-Control', file.forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'],
          ['Vary', 'Accept-Encoding'],
          ...securityHeaders(origin),
        ],
        tags: [],
        packs: packed.has(extname(file.path)),
      })
    },
  }
}

export type PublicFiles = ReturnType<typeof publicFiles>
