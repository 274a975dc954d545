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
 * Uploads: `/files/{publicId}/{name}`, and resized images `/files/{publicId}/{width}/{name}`. All are immutable except
 * previews.
 */
export function uploadRoutes() {
  const files = new Hono<Env>()
  for (const path of [
    '/files/:publicId{[0-9a-f]{32}}/:name',
    '/files/:publicId{[0-9a-f]{32}}/:width{[1-9][0-9]{0,4}}/:name',
  ]) {
    files.on(['GET', 'HEAD'], path, async (c) => {
      const { ctx } = c.var
      const { publicId = '', width, name = '' } = c.req.param() as Record<string, string>
      const requested = { publicId, name, width: width === undefined ? undefined : Number(width) }
      // An image that is just being resized may be replaced between its row and its content; then the row is read again.
      for (let tries = 0; tries < 2; tries++) {
        const found = await findServedFile(ctx, requested)
        if (!found) break
        if ('redirectTo' in found) {
          c.header('Cache-Control', 'public, max-age=0, must-revalidate')
          return c.redirect(found.redirectTo, 302)
        }
        const response = await answer(c.req.raw, found, publicId, ctx)
        if (response) return response
      }
      throw new Refusal('not_found')
    })
    files.all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }
  return files
}

/** Whether a path is an upload's. */
export async function isUploadPath(ctx: Env['Variables']['ctx'], path: string): Promise<boolean> {
  const [, publicId, width, name] = /^\/files\/([0-9a-f]{32})\/(?:([1-9]\d{0,4})\/)?([^/]+)$/.exec(path) ?? []
  if (publicId === undefined || name === undefined) return false
  return (
    (await findServedFile(ctx, { publicId, name, width: width === undefined ? undefined : Number(width) })) !==
    undefined
  )
}

/** Undefined when the content was replaced since its row was read. */
async function answer(
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
  if (range === 'beyond') {
    headers.set('Content-Range', `bytes */${content.bytes}`)
    return new Response(null, { status: 416, headers })
  }
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${content.bytes}`)
  headers.set('Content-Length', String(range ? range.end - range.start + 1 : content.bytes))
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const stored = await ctx.uploads.storage.read(content.storageKey, range)
  if (!stored) return undefined
  // The stream has its own buffer; another one would only use memory while a slow client reads.
  const body = Readable.toWeb(stored, { strategy: new ByteLengthQueuingStrategy({ highWaterMark: 0 }) })
  return new Response(body as ReadableStream<Uint8Array>, { status, headers })
}

/** A single range; a request for several ranges, or with an outdated If-Range, gets the whole file. */
function rangeOf(request: Request, { bytes, etag }: ServedContent): ByteRange | 'beyond' | undefined {
  const requested = request.headers.get('range')
  const ifRange = request.headers.get('if-range')
  if (!requested || (ifRange && ifRange !== `"${etag}"`)) return undefined
  // A suffix that is longer than the file is the whole file (RFC 9110, 14.1.2); range-parser finds it unsatisfiable.
  const bounded = requested.replace(/([=,]\s*-)(\d+)/g, (_, before, length) => before + Math.min(length, bytes))
  const parts = parseRange(bytes, bounded, { combine: true })
  if (parts === -1) return 'beyond'
  const [part, ...more] = parts === -2 || parts.type !== 'bytes' ? [] : parts
  return more.length > 0 ? undefined : part
}

function headersOf({ type, kind, name, etag, temporary }: ServedContent, origin: string): [string, string][] {
  const inline = kind === 'picture' || type === 'application/pdf'
  const general = securityHeaders(origin).filter(([header]) => header !== 'Content-Security-Policy')
  return [
    ...general,
    ['Content-Type', type],
    [
      'Content-Disposition',
      contentDisposition(name, { type: inline ? 'inline' : 'attachment', fallback: asciiName(name) }),
    ],
    ['Content-Security-Policy', policyOf(type)],
    ['Cache-Control', temporary ? 'public, max-age=0, must-revalidate' : 'public, max-age=31536000, immutable'],
    ['ETag', `"${etag}"`],
    ['Accept-Ranges', 'bytes'],
  ]
}

/** The plain `filename` parameter supports only ASCII. */
const asciiName = (name: string): string | boolean =>
  /^[ -~]+$/.test(name) ? true : `file${/\.[a-z0-9]+$/.exec(name)?.[0] ?? ''}`

/**
 * An upload opened in its own tab runs no scripts, submits no forms and has no access to this site. PDF viewers do not
 * work in a sandbox.
 */
function policyOf(type: string): string {
  const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  if (type === 'application/pdf') return `${nothingAllowed}; style-src 'unsafe-inline'; object-src 'self'`
  const svgPolicy = type === svgType ? "; style-src 'unsafe-inline'; img-src data:" : ''
  return `${nothingAllowed}${svgPolicy}; sandbox`
}
