import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context as HonoContext } from 'hono'
import type { Env } from './env.ts'
import { negotiateEncoding } from './page-cache.ts'

/** A medium quality: the best takes twenty times as long to save half as much again, for output that is used once. */
const quality = 5

/** Compresses an uncached page in the encoding that the client prefers, and sets its response headers. */
export async function compressHtml(c: HonoContext<Env>, html: string): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = negotiateEncoding(c.req.header('accept-encoding') ?? '')
  c.header('Vary', 'Accept-Encoding')
  const body = Buffer.from(html)
  if (encoding === 'identity') return body
  c.header('Content-Encoding', encoding)
  const compressed =
    encoding === 'br'
      ? await promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
      : await promisify(gzip)(body)
  return new Uint8Array(compressed)
}
