/** What the program that works on pictures is told, and what it answers. */
export type PictureJob =
  | { work: 'look'; file: string; to: string; maxPixels: number; maxFrames: number; maxDrawingBytes: number }
  | { work: 'draw'; file: string; folder: string; type: string; crop: Area | null; animated: boolean }

/** In pixels of the picture as it is seen: turned the way its camera was held. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

export interface LookedAt {
  /** By its content, like `image/png`; null where nothing tells. */
  type: string | null
  picture: Inspected | null
}

export interface Inspected {
  /** As it is seen. */
  width: number
  height: number
  frames: number
  /** A data URL of some hundred bytes; none for what can be seen through. */
  placeholder: string | null
}

/** One width of a picture, in each of the types. */
export interface DrawnWidth {
  width: number
  height: number
  /** Endings of the files: `avif`, `webp`, and that of the original's type. */
  types: string[]
  /** Of the file of each type, in their order. */
  bytes: number[]
}

export interface Drawn {
  /** Of what is left after the crop. */
  width: number
  height: number
  placeholder: string | null
  widths: DrawnWidth[]
}

/** Why a picture was refused: more pixels, pictures or text than may be, or nothing that can be read. */
export type PictureFault = 'pixels' | 'frames' | 'drawing' | 'broken'

export type PictureAnswer<Result> = { result: Result } | { fault: PictureFault; detail: string }

/** Beside a cropped picture lies all of it, for who changes the crop. */
export const wholeName = 'whole.webp'

/** The file of one width and type, in a folder or a storage. */
export const drawnName = (width: number, ending: string) => `${width}.${ending}`
