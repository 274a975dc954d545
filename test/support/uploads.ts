import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { StoredFile } from '../../src/contract/files.ts'
import type { SignedIn } from './staff.ts'
import { waitUntil } from './wait-until.ts'

type Bytes = Uint8Array<ArrayBuffer>
const bytes = (buffer: Buffer): Bytes => new Uint8Array(buffer)

/** A unique photo: soft spots of colour, which are encoded several times as fast as noise. */
export async function aPhoto(
  width = 640,
  height = 480,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg',
): Promise<Bytes> {
  const spots = sharp(randomBytes(36), { raw: { width: 4, height: 3, channels: 3 } })
  return bytes(await spots.resize(width, height, { fit: 'fill' }).toFormat(format).toBuffer())
}

export const aPdf = (text = 'Offerte'): Bytes =>
  bytes(Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n% ${text}\ntrailer<</Root 1 0 R>>\n%%EOF\n`))

export const anSvg = (inside = '<rect width="10" height="10"/>', before = ''): Bytes =>
  bytes(
    Buffer.from(
      `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 20">${inside}</svg>`,
    ),
  )

type Uploader = Pick<SignedIn, 'request'>

export const upload = (who: Uploader, name: string, body: Bytes | string, folder?: string): Promise<Response> =>
  who.request(`/api/files?${new URLSearchParams({ name, ...(folder !== undefined && { folder }) })}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body,
  })

export const replaceContent = (who: Uploader, id: number, body: Bytes, query: Record<string, string> = {}) =>
  who.request(`/api/files/${id}/content?${new URLSearchParams(query)}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream' },
    body,
  })

/** Uploads a file that must be accepted. */
export async function uploadFile(who: Uploader, name: string, body: Bytes, folder?: string): Promise<StoredFile> {
  const answer = await upload(who, name, body, folder)
  if (!answer.ok) throw new Error(`${name} was not taken: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as StoredFile
}

/** Waits until the file is resized, or has failed. */
export const waitUntilProcessed = (who: Uploader, id: number): Promise<StoredFile> =>
  waitUntil(async () => {
    const found = (await (await who.request(`/api/files/${id}`)).json()) as StoredFile
    return found.state !== 'waiting' && found
  }, `end of the work on file ${id}`)
