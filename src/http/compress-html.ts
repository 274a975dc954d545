import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Context as HonoContext } from 'hono'
import type { Env } from './env.ts'
import { negotiateEncoding } from './page-cache.ts'

/** A medium quality: the best takes twenty times as long, and saves half as much again. This output is sent once. */
const brotliQuality = 5
/**
 * Node keeps the output buffer of each compression until the next full garbage collection, and counts it towards the next
 * one: with the default of 16 KB every hundredth page would wait for it.
 */
const chunkSize = 4_096
const encoder = new TextEncoder()

/**
 * Compresses an uncached page in the best encoding that the client accepts, and sets the response headers of that
 * encoding. On this thread: another one would take twice the processor time, and the page would wait for it.
 */
export function compressHtml(c: HonoContext<Env>, html: string): Uint8Array<ArrayBuffer> {
  const encoding = negotiateEncoding(c.req.header('accept-encoding') ?? '')
  c.header('Vary', 'Accept-Encoding')
  const body = encoder.encode(html)
  if (encoding === 'identity') return body
  c.header('Content-Encoding', encoding)
  if (encoding === 'gzip') return gzipSync(body, { chunkSize })
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_SIZE_HINT]: body.length }
  return brotliCompressSync(body, { chunkSize, params })
}
