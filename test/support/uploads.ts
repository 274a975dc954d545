import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { StoredFile } from '../../src/contract/files.ts'
import type { SignedIn } from './staff.ts'
import { waitUntil } from './wait-until.ts'

type Bytes = Uint8Array<ArrayBuffer>
const bytesOf = (buffer: Buffer): Bytes => new Uint8Array(buffer)

/** A unique photo of soft spots of colour, which are encoded several times as fast as noise. The size is in px. */
export async function aPhoto(
  width = 640,
  height = 480,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg',
): Promise<Bytes> {
  const spots = sharp(randomBytes(36), { raw: { width: 4, height: 3, channels: 3 } })
  return bytesOf(await spots.resize(width, height, { fit: 'fill' }).toFormat(format).toBuffer())
}

/** A small PDF. @param text makes it unique */
export const aPdf = (text = 'Offerte'): Bytes =>
  bytesOf(Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n% ${text}\ntrailer<</Root 1 0 R>>\n%%EOF\n`))

/** An SVG of 40 by 20. @param content of its root element @param before what precedes that element */
export const anSvg = (content = '<rect width="10" height="10"/>', before = ''): Bytes =>
  bytesOf(
    Buffer.from(
      `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 20">${content}</svg>`,
    ),
  )

type Uploader = Pick<SignedIn, 'request'>

/** Uploads a file. @returns the response, which may be a refusal */
export const upload = (uploader: Uploader, name: string, body: Bytes | string, folder?: string): Promise<Response> =>
  uploader.request(`/api/files?${new URLSearchParams({ name, ...(folder !== undefined && { folder }) })}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body,
  })

/** Replaces the content of a file. @returns the response, which may be a refusal */
export const replaceContent = (uploader: Uploader, id: number, body: Bytes, query: Record<string, string> = {}) =>
  uploader.request(`/api/files/${id}/content?${new URLSearchParams(query)}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream' },
    body,
  })

/** Uploads a file. @throws when it is refused */
export async function uploadFile(uploader: Uploader, name: string, body: Bytes, folder?: string): Promise<StoredFile> {
  const response = await upload(uploader, name, body, folder)
  if (!response.ok) throw new Error(`${name} was not taken: ${response.status} ${await response.text()}`)
  return (await response.json()) as StoredFile
}

/** Waits until an uploaded file is processed, or has failed. @returns it */
export const waitUntilProcessed = (uploader: Uploader, id: number): Promise<StoredFile> =>
  waitUntil(async () => {
    const file = (await (await uploader.request(`/api/files/${id}`)).json()) as StoredFile
    return file.state !== 'waiting' && file
  }, `end of the work on file ${id}`)
