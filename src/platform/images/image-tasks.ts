import type { CropArea } from '../../contract/files.ts'
import type { ResizedWidth } from '../../contract/images.ts'

/** A task of the image process. */
export type ImageTask =
  | { kind: 'probe'; file: string; preview: string; maxPixels: number; maxFrames: number; svg: SvgLimits }
  | { kind: 'sanitize'; file: string; to: string; maxPixels: number; svg: SvgLimits }
  | {
      kind: 'resize'
      file: string
      folder: string
      type: string
      /** In pixels of the displayed image, after the EXIF orientation is applied. */
      crop: CropArea | null
      animated: boolean
      /** Writes only one width, in the types that are encoded fast, so that a sharp image is available soon. */
      quick: boolean
    }
  | { kind: 'render'; folder: string; fonts: string[]; images: ImageToRender[] }

export type ImageTaskResult<Result> =
  | { result: Result }
  | { rejected: ImageRejectionReason; detail: string }
  /** The files of the task could not be read or written. `code` is that of the system error, such as `ENOSPC`. */
  | { failed: string; code: string | undefined }

interface SvgLimits {
  bytes: number
  /** Tags, comments and other markup. */
  nodes: number
  /** The maximum for one element. */
  attributes: number
  /** Depth of nested elements. */
  depth: number
}

export interface ProbedFile {
  /** MIME type by content, like `image/png`; null when the content has no known signature. */
  type: string | null
  /** Null for an SVG, which is measured when it is sanitized. */
  image: ProbedImage | null
}

export interface ProbedImage {
  /** After the EXIF orientation is applied. */
  width: number
  height: number
  frames: number
  /** A data URL of some hundred bytes; null for an SVG, an animation and an image with transparency. */
  placeholder: string | null
  /** Size of the preview file; null for an SVG, which needs none. */
  previewBytes: number | null
}

export interface ResizeResult {
  /** After the crop. */
  width: number
  height: number
  placeholder: string | null
  widths: ResizedWidth[]
  /** The size of all files together. */
  totalBytes: number
}

/** An image to render from SVG, such as an icon of the site. */
export interface ImageToRender {
  /** File name; `.ico` wraps the PNG. */
  name: string
  svg: string
  width: number
  height: number
  texts?: TextLayer[]
}

interface TextLayer {
  /** Pango markup. */
  markup: string
  /** Pango's font description: family, a comma, style and size in pixels. */
  font: string
  /** The distance in pixels from the top, and from the left, or with `rtl` from the right. */
  top: number
  start: number
  width: number
  rtl: boolean
}

/** Why an image is rejected: too many pixels, frames, bytes or SVG nodes, too much time, or unreadable. */
type ImageRejectionReason = 'pixels' | 'frames' | 'svgBytes' | 'nodes' | 'attributes' | 'depth' | 'time' | 'unreadable'

/** The image cannot be processed; a retry would not help. */
export class ImageRejected extends Error {
  readonly reason: ImageRejectionReason
  constructor(reason: ImageRejectionReason, detail: string = reason) {
    super(detail)
    this.name = 'ImageRejected'
    this.reason = reason
  }
}

/** The image process was killed from outside, or could not read or write its files; a retry may help. */
export class ImageInterrupted extends Error {
  /** The code of the system error, such as `ENOSPC`. */
  readonly code: string | undefined
  constructor(detail: string, code?: string) {
    super(detail)
    this.name = 'ImageInterrupted'
    this.code = code
  }
}

/** The name of the uncropped image, which is stored with the resized images of a cropped one, for the crop tool. */
export const uncroppedFileName = 'whole.webp'

/** The name of the resized image of one width and type. */
export const resizedFileName = (width: number, extension: string) => `${width}.${extension}`
