import { useSyncExternalStore } from 'react'
import { svgType } from '../../../contract/file-types.ts'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { StoredFile } from '../../../contract/files.ts'
import type { ResponsiveImage } from '../../../contract/images.ts'
import { translate } from '../../i18n.ts'

/** A pasted image stays in memory as long as it has a URL; an image from the disk is only referred to. */
const urls = new WeakMap<File, string>()

/** A URL of a file of this computer, to show an image before the server has it. */
export function localUrl(file: File): string {
  const url = urls.get(file) ?? URL.createObjectURL(file)
  urls.set(file, url)
  return url
}

function revokeUrl(file: File): void {
  const url = urls.get(file)
  if (url === undefined) return
  URL.revokeObjectURL(url)
  urls.delete(file)
}

type LocalImage = Pick<ResponsiveImage, 'src' | 'width' | 'height'>

/**
 * The files uploaded in this window, by public id, with the id of the file. `sent` is there until the server has resized
 * the image.
 */
const uploaded = new Map<string, { file: number; width: number; height: number; sent: File | undefined }>()

/** Images are shown from this computer until the server has resized them. */
export function rememberLocalImage(stored: StoredFile, sent: File): void {
  const [publicId] = publicFileIdsIn(stored.url)
  const { id: file, width, height, type, crop } = stored
  // The server removes what is dangerous in an SVG, and shows an image as it is cropped.
  if (!publicId || !width || !height || type === svgType || crop) {
    revokeUrl(sent)
    return
  }
  releaseLocalImage(publicId)
  uploaded.set(publicId, { file, width, height, sent })
}

/** For a file that is replaced or cropped. Pages may still use a public id that it had before. */
export function forgetLocalImages(file: number): void {
  for (const [publicId, image] of uploaded) {
    if (image.file !== file) continue
    releaseLocalImage(publicId)
    uploaded.delete(publicId)
  }
}

/** For an image that the server has resized. */
export function releaseLocalImage(publicId: string): void {
  const image = uploaded.get(publicId)
  if (!image?.sent) return
  revokeUrl(image.sent)
  image.sent = undefined
}

/** Undefined for an image that was not uploaded in this window, was changed since, or is resized. */
export function localImage(publicId: string): LocalImage | undefined {
  const { sent, width, height } = uploaded.get(publicId) ?? {}
  return sent && width && height ? { src: localUrl(sent), width, height } : undefined
}

/** Whether an image was uploaded in this window, so that the server may still be resizing it. */
export const isUploadedHere = (publicId: string): boolean => uploaded.has(publicId)

/** The image that is being uploaded into a block, by the block's id on the canvas. */
const arriving = new Map<string, { sent: File; image: ResponsiveImage | undefined }>()
const listeners = new Set<() => void>()

/** Shows an image in a block of the canvas until `removeArrivingImage`, unless another one was dropped there since. */
export function setArrivingImage(block: string, sent: File, image: ResponsiveImage): void {
  const last = arriving.get(block)?.sent
  if (last === undefined || last === sent) showArrivingImage(block, sent, image)
}

function showArrivingImage(block: string, sent: File, image: ResponsiveImage | undefined): void {
  arriving.set(block, { sent, image })
  for (const listener of listeners) listener()
}

/** Images are dropped in these types; whether a browser can show another one is known when it was read. */
const shownAtOnce = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])

/**
 * Shows a dropped image before anything else is done with it; its size follows with `readLocalImage`. An image of another
 * type is shown only then, but replaces one that was dropped there before.
 */
export function showDroppedImage(block: string, sent: File): void {
  const canShow = shownAtOnce.has(sent.type)
  showArrivingImage(block, sent, canShow ? localImageOf(sent, { width: 1_600, height: 1_200 }) : undefined)
}

/** Call it when the image is stored, or when its upload failed or was cancelled. */
export function removeArrivingImage(block: string, sent: File): void {
  if (arriving.get(block)?.sent !== sent) return
  arriving.delete(block)
  for (const listener of listeners) listener()
}

/** Call it when the canvas is closed. */
export function removeArrivingImages(): void {
  arriving.clear()
  for (const listener of listeners) listener()
}

export const useArrivingImage = (block: string): ResponsiveImage | undefined =>
  useSyncExternalStore(subscribe, () => arrivingImage(block))

export const arrivingImage = (block: string): ResponsiveImage | undefined => arriving.get(block)?.image

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Reads the size of an image of this computer, without decoding it: a photo takes some tenths of a second. Undefined
 * when the browser cannot show it.
 */
export async function readLocalImage(file: File): Promise<ResponsiveImage | undefined> {
  const image = new Image()
  const isImage = await new Promise<boolean>((resolve) => {
    image.onload = () => resolve(true)
    image.onerror = () => resolve(false)
    image.src = localUrl(file)
  })
  if (!isImage) return undefined
  return localImageOf(file, { width: image.naturalWidth, height: image.naturalHeight })
}

const localImageOf = (file: File, { width, height }: { width: number; height: number }): ResponsiveImage => ({
  src: localUrl(file),
  width,
  height,
  sources: [],
  placeholder: null,
  focal: { x: 50, y: 50 },
  alt: { nl: '', fa: '' },
})

/** Gives a pasted image a unique name, because browsers name each `image.png`. */
export function uniquelyNamed(file: File): File {
  if (file.name !== 'image.png') return file
  const now = new Date()
  // In the time zone of the user, like the date beside the file.
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  const at = local.toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ')
  return new File([file], `${translate('files.pasted')} ${at}.png`, { type: file.type })
}
