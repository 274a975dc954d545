import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { Hono } from 'hono'
import parseRange from 'range-parser'
import { Refusal } from '../contract/errors.ts'
import { svgType } from '../contract/file-types.ts'
import { fileTag, findServedFile, type ServedFile } from '../domain/files/find-served-file.ts'
import type { Env } from '../http/env.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { ByteRange } from '../platform/storage/storage.ts'

type ServedContent = Exclude<ServedFile, { redirectTo: string }>

/**
 * Creates the routes of uploads, `/files/{publicId}/{name}`, and of resized images, `/files/{publicId}/{width}/{name}`.
 * All are immutable except previews of images that are not resized yet.
 */
export function uploadRoutes() {
  const routes = new Hono<Env>()
  for (const path of [
    '/files/:publicId{[0-9a-f]{32}}/:name',
    '/files/:publicId{[0-9a-f]{32}}/:width{[1-9][0-9]{0,4}}/:name',
  ]) {
    routes.on(['GET', 'HEAD'], path, async (c) => {
      const { ctx } = c.var
      const { publicId = '', width, name = '' } = c.req.param() as Record<string, string>
      const requested = { publicId, name, width: width === undefined ? undefined : Number(width) }
      // A resized image may be replaced between the reading of its row and of its content; then both are read again.
      for (let tries = 0; tries < 2; tries++) {
        const file = await findServedFile(ctx, requested)
        if (!file) break
        if ('redirectTo' in file) {
          c.header('Cache-Control', 'public, max-age=0, must-revalidate')
          return c.redirect(file.redirectTo, 302)
        }
        const response = await contentResponse(c.req.raw, file, publicId, ctx)
        if (response) return response
      }
      throw new Refusal('not_found')
    })
    routes.all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }
  return routes
}

/** Whether a path is that of an upload or a resized image. */
export async function isUploadPath(ctx: Env['Variables']['ctx'], path: string): Promise<boolean> {
  const [, publicId, width, name] = /^\/files\/([0-9a-f]{32})\/(?:([1-9]\d{0,4})\/)?([^/]+)$/.exec(path) ?? []
  if (publicId === undefined || name === undefined) return false
  return (
    (await findServedFile(ctx, { publicId, name, width: width === undefined ? undefined : Number(width) })) !==
    undefined
  )
}

/** Responds with 200, 206, 304 or 416. Undefined if the content was replaced since its row was read. */
async function contentResponse(
  request: Request,
  content: ServedContent,
  publicId: string,
  ctx: Env['Variables']['ctx'],
): Promise<Response | undefined> {
  const headers = new Headers(headersOf(content, ctx.origin))
  if (ctx.cdn) headers.set(...ctx.cdn.fileTagHeader(fileTag(publicId)))
  if (request.headers.get('if-none-match')?.includes(`"${content.etag}"`)) {
    return new Response(null, { status: 304, headers })
  }
  const range = rangeOf(request, content)
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${content.bytes}`)
    return new Response(null, { status: 416, headers })
  }
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${content.bytes}`)
  headers.set('Content-Length', String(range ? range.end - range.start + 1 : content.bytes))
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const stream = await ctx.uploads.storage.read(content.storageKey, range)
  if (!stream) return undefined
  // The stream has its own buffer; a second one would only use memory while a slow client reads.
  const body = Readable.toWeb(stream, { strategy: new ByteLengthQueuingStrategy({ highWaterMark: 0 }) })
  return new Response(body as ReadableStream<Uint8Array>, { status, headers })
}

/** The requested range. Undefined for the whole file: no range, several, or an outdated `If-Range`. */
function rangeOf(request: Request, { bytes, etag }: ServedContent): ByteRange | 'unsatisfiable' | undefined {
  const requested = request.headers.get('range')
  const ifRange = request.headers.get('if-range')
  if (!requested || (ifRange && ifRange !== `"${etag}"`)) return undefined
  // RFC 9110, 14.1.2: a suffix (`bytes=-500`) longer than the file is the whole file; range-parser disagrees.
  const header = requested.replace(/([=,]\s*-)(\d+)/g, (_, prefix, length) => prefix + Math.min(length, bytes))
  const ranges = parseRange(bytes, header, { combine: true })
  // range-parser returns -1 for an unsatisfiable header, and -2 for a malformed one, which is ignored.
  if (ranges === -1) return 'unsatisfiable'
  const [range, ...otherRanges] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges
  return otherRanges.length > 0 ? undefined : range
}

function headersOf({ type, kind, name, etag, temporary }: ServedContent, origin: string): [string, string][] {
  const isInline = kind === 'picture' || type === 'application/pdf'
  return [
    ...securityHeaders(origin).filter(([header]) => header !== 'Content-Security-Policy'),
    ['Content-Type', type],
    [
      'Content-Disposition',
      contentDisposition(name, { type: isInline ? 'inline' : 'attachment', fallback: asciiName(name) }),
    ],
    ['Content-Security-Policy', contentSecurityPolicyOf(type)],
    ['Cache-Control', temporary ? 'public, max-age=0, must-revalidate' : 'public, max-age=31536000, immutable'],
    ['ETag', `"${etag}"`],
    ['Accept-Ranges', 'bytes'],
  ]
}

/** The `filename` parameter, which must be ASCII: true for the name itself, or else `file` with its extension. */
const asciiName = (name: string): string | boolean =>
  /^[ -~]+$/.test(name) ? true : `file${/\.[a-z0-9]+$/.exec(name)?.[0] ?? ''}`

/** The policy of an upload in its own tab: no scripts, forms or access to this site. PDF viewers fail in a sandbox. */
function contentSecurityPolicyOf(type: string): string {
  const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  if (type === 'application/pdf') return `${nothingAllowed}; style-src 'unsafe-inline'; object-src 'self'`
  const svgPolicy = type === svgType ? "; style-src 'unsafe-inline'; img-src data:" : ''
  return `${nothingAllowed}${svgPolicy}; sandbox`
}
