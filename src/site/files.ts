import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { Hono } from 'hono'
import parseRange from 'range-parser'
import { Refusal } from '../contract/errors.ts'
import { drawingType } from '../contract/file-types.ts'
import { type FoundContent, findContent } from '../domain/files/find-content.ts'
import type { Env } from '../http/env.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { ByteRange } from '../platform/storage/storage.ts'

type Content = Exclude<FoundContent, { moved: string }>

/** Uploads: `/files/{address}/{name}`, and of a picture `/files/{address}/{width}/{name}`. What an address gives never changes. */
export function uploadedFiles() {
  const files = new Hono<Env>()
  for (const path of [
    '/files/:address{[0-9a-f]{32}}/:name',
    '/files/:address{[0-9a-f]{32}}/:width{[1-9][0-9]{0,4}}/:name',
  ]) {
    files.on(['GET', 'HEAD'], path, async (c) => {
      const { ctx } = c.var
      const { address = '', width, name = '' } = c.req.param() as Record<string, string>
      const found = await findContent(ctx, { address, name, width: width === undefined ? undefined : Number(width) })
      if (!found) throw new Refusal('not_found')
      if ('moved' in found) {
        c.header('Cache-Control', 'public, max-age=0, must-revalidate')
        return c.redirect(found.moved, 302)
      }
      return answer(c.req.raw, found, ctx)
    })
    files.all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }
  return files
}

/** Whether there is an upload at a path. */
export async function isUpload(ctx: Env['Variables']['ctx'], path: string): Promise<boolean> {
  const [, address, width, name] = /^\/files\/([0-9a-f]{32})\/(?:([1-9]\d{0,4})\/)?([^/]+)$/.exec(path) ?? []
  if (address === undefined || name === undefined) return false
  return (
    (await findContent(ctx, { address, name, width: width === undefined ? undefined : Number(width) })) !== undefined
  )
}

async function answer(request: Request, content: Content, ctx: Env['Variables']['ctx']): Promise<Response> {
  const headers = new Headers(headersOf(content, ctx.origin))
  if (request.headers.get('if-none-match')?.includes(`"${content.etag}"`)) {
    return new Response(null, { status: 304, headers })
  }
  const range = rangeOf(request, content)
  if (range === 'beyond') {
    headers.set('Content-Range', `bytes */${content.bytes}`)
    return new Response(null, { status: 416, headers })
  }
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${content.bytes}`)
  headers.set('Content-Length', String(range ? range.end - range.start + 1 : content.bytes))
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const stored = await ctx.uploads.storage.read(content.key, range)
  // Its row was read a moment ago, and it may have been replaced since.
  if (!stored) throw new Refusal('not_found')
  return new Response(Readable.toWeb(stored) as ReadableStream<Uint8Array>, { status, headers })
}

/** One part; who asks for several gets the whole, as for a part of what it no longer is. */
function rangeOf(request: Request, { bytes, etag }: Content): ByteRange | 'beyond' | undefined {
  const asked = request.headers.get('range')
  const only = request.headers.get('if-range')
  if (!asked || (only && only !== `"${etag}"`)) return undefined
  const parts = parseRange(bytes, asked, { combine: true })
  if (parts === -1) return 'beyond'
  const [part, ...more] = parts === -2 || parts.type !== 'bytes' ? [] : parts
  return more.length > 0 ? undefined : part
}

function headersOf({ type, kind, name, etag }: Content, origin: string): [string, string][] {
  const inline = kind === 'picture' || type === 'application/pdf'
  const general = securityHeaders(origin).filter(([header]) => header !== 'Content-Security-Policy')
  return [
    ...general,
    ['Content-Type', type],
    [
      'Content-Disposition',
      contentDisposition(name, { type: inline ? 'inline' : 'attachment', fallback: oldName(name) }),
    ],
    ['Content-Security-Policy', policyOf(type)],
    ['Cache-Control', 'public, max-age=31536000, immutable'],
    ['ETag', `"${etag}"`],
    ['Accept-Ranges', 'bytes'],
  ]
}

/** The header's old form knows ASCII alone. */
const oldName = (name: string): string | boolean =>
  /^[ -~]+$/.test(name) ? true : `file${/\.[a-z0-9]+$/.exec(name)?.[0] ?? ''}`

/** Opened by itself, an upload can do nothing: no script, no form, no name of this site. A viewer of PDFs cannot live in the sandbox. */
function policyOf(type: string): string {
  const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  if (type === 'application/pdf') return `${nothing}; style-src 'unsafe-inline'; object-src 'self'`
  const drawn = type === drawingType ? "; style-src 'unsafe-inline'; img-src data:" : ''
  return `${nothing}${drawn}; sandbox`
}
