import { useSyncExternalStore } from 'react'
import { svgType } from '../../../contract/file-types.ts'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { StoredFile } from '../../../contract/files.ts'
import type { ResponsiveImage } from '../../../contract/images.ts'
import { translate } from '../../i18n.ts'

/** The object URLs of files. The content of a pasted image, which is on no disk, stays in memory until its URL is revoked. */
const objectUrls = new WeakMap<File, string>()

/** Returns an object URL of a file of the user's computer, to show an image before the server has it. */
export function objectUrlOf(file: File): string {
  const url = objectUrls.get(file) ?? URL.createObjectURL(file)
  objectUrls.set(file, url)
  return url
}

/** Revokes the object URL of a file; `objectUrlOf` makes a new one if it is shown again. */
export function revokeUrl(file: File): void {
  const url = objectUrls.get(file)
  if (url === undefined) return
  URL.revokeObjectURL(url)
  objectUrls.delete(file)
}

type LocalImage = Pick<ResponsiveImage, 'src' | 'width' | 'height'>

/** The images uploaded in this window, by public id. `sent` is kept until the server has resized the image. */
const uploadedImages = new Map<string, { fileId: number; width: number; height: number; sent: File | undefined }>()

/** Remembers the sent file of a stored image, which is shown until the server has resized the image. */
export function rememberLocalImage(stored: StoredFile, sent: File): void {
  const [publicId] = publicFileIdsIn(stored.url)
  const { id: fileId, width, height, type, crop } = stored
  // Security: an SVG is shown only as the server stored it, without scripts. A cropped image would be shown uncropped.
  if (!publicId || !width || !height || type === svgType || crop) {
    revokeUrl(sent)
    return
  }
  releaseLocalImage(publicId)
  uploadedImages.set(publicId, { fileId, width, height, sent })
}

/** Forgets the images of a file that was replaced or cropped, under each public id that the file has had. */
export function forgetLocalImages(fileId: number): void {
  for (const [publicId, image] of uploadedImages) {
    if (image.fileId !== fileId) continue
    releaseLocalImage(publicId)
    uploadedImages.delete(publicId)
  }
}

/** Releases the sent file of an image that the server has resized. */
export function releaseLocalImage(publicId: string): void {
  const image = uploadedImages.get(publicId)
  if (!image?.sent) return
  revokeUrl(image.sent)
  image.sent = undefined
}

/** The sent image; undefined if it was not uploaded in this window, or was resized or changed since. */
export function localImage(publicId: string): LocalImage | undefined {
  const { sent, width, height } = uploadedImages.get(publicId) ?? {}
  return sent && width && height ? { src: objectUrlOf(sent), width, height } : undefined
}

/** Whether an image was uploaded in this window, so that the server may still be resizing it. */
export const isUploadedHere = (publicId: string): boolean => uploadedImages.has(publicId)

/** The image that is being uploaded into a block, by block id; without `image` until it is known whether the browser can show it. */
const uploadPreviews = new Map<string, { sent: File; image: ResponsiveImage | undefined }>()
const listeners = new Set<() => void>()

/** Shows an image in a block of the canvas until `removeUploadPreview`. Does nothing if another one was dropped there since. */
export function setUploadPreview(block: string, sent: File, image: ResponsiveImage): void {
  const current = uploadPreviews.get(block)?.sent
  if (current === undefined || current === sent) replaceUploadPreview(block, sent, image)
}

function replaceUploadPreview(block: string, sent: File, image: ResponsiveImage | undefined): void {
  uploadPreviews.set(block, { sent, image })
  notifyListeners()
}

/** Types that every browser shows. Whether it shows another type is known after `readLocalImage`. */
const supportedTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])

/**
 * Shows a dropped image in a block at once, with a provisional size; `readLocalImage` reads the real one. An image that
 * the browser may not support is not shown yet, but the preview of an earlier one is removed.
 */
export function showDroppedImage(block: string, sent: File): void {
  const isSupported = supportedTypes.has(sent.type)
  replaceUploadPreview(
    block,
    sent,
    isSupported ? localImageOf(objectUrlOf(sent), { width: 1_600, height: 1_200 }) : undefined,
  )
}

/** Removes the preview of an image that was stored, or whose upload failed or was cancelled. */
export function removeUploadPreview(block: string, sent: File): void {
  if (uploadPreviews.get(block)?.sent !== sent) return
  uploadPreviews.delete(block)
  notifyListeners()
}

/** Removes all previews, when the canvas is closed. */
export function removeUploadPreviews(): void {
  uploadPreviews.clear()
  notifyListeners()
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

export const useUploadPreview = (block: string): ResponsiveImage | undefined =>
  useSyncExternalStore(subscribe, () => uploadPreviewOf(block))

export const uploadPreviewOf = (block: string): ResponsiveImage | undefined => uploadPreviews.get(block)?.image

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Reads the size of an image of the user's computer. Does not decode it, which takes tenths of a second for a photo.
 * @returns undefined if the browser cannot show the image
 */
export async function readLocalImage(file: File): Promise<ResponsiveImage | undefined> {
  const image = new Image()
  const isImage = await new Promise<boolean>((resolve) => {
    image.onload = () => resolve(true)
    image.onerror = () => resolve(false)
    image.src = objectUrlOf(file)
  })
  if (!isImage) return undefined
  return localImageOf(image.src, { width: image.naturalWidth, height: image.naturalHeight })
}

const localImageOf = (src: string, { width, height }: { width: number; height: number }): ResponsiveImage => ({
  src,
  width,
  height,
  sources: [],
  placeholder: null,
  focal: { x: 50, y: 50 },
  alt: { nl: '', fa: '' },
})

/** Gives a pasted image a name with the time, because browsers name each `image.png`. Other files stay as they are. */
export function renamePastedImage(file: File): File {
  if (file.name !== 'image.png') return file
  const now = new Date()
  // Shifted by the offset, so that `toISOString` gives the user's local time: `2026-11-21 05.16.30`.
  const shifted = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  const time = shifted.toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ')
  return new File([file], `${translate('files.pasted')} ${time}.png`, { type: file.type })
}
