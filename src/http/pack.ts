import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context as HonoContext } from 'hono'
import type { Env } from './env.ts'
import { negotiate } from './kept-answers.ts'

/** Half of what the best would save again costs twenty times as long; this is made for one reader. */
const quality = 5

/** Packs a page that is kept nowhere, as its reader likes it. The headers that say so go into the answer. */
export async function pack(c: HonoContext<Env>, html: string): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = negotiate(c.req.header('accept-encoding') ?? '')
  c.header('Vary', 'Accept-Encoding')
  const body = Buffer.from(html)
  if (encoding === 'identity') return body
  c.header('Content-Encoding', encoding)
  const packed =
    encoding === 'br'
      ? await promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
      : await promisify(gzip)(body)
  return new Uint8Array(packed)
}
