/** What the program that works on pictures is told, and what it answers. */
export type PictureJob =
  | { work: 'look'; file: string; maxPixels: number; maxFrames: number; drawing: DrawingLimits }
  | { work: 'clean'; file: string; to: string; maxPixels: number; drawing: DrawingLimits }
  | { work: 'draw'; file: string; folder: string; type: string; crop: Area | null; animated: boolean }

/** What a drawing may hold at most. */
export interface DrawingLimits {
  bytes: number
  /** Elements, comments and the like. */
  parts: number
  /** Of one element. */
  attributes: number
  /** Elements in each other. */
  levels: number
}

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
  /** None yet for a drawing: it is read when it is cleaned. */
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

/** Why a picture was refused: more pixels, pictures or text than may be, a drawing of too much, or nothing that can be read. */
export type PictureFault = 'pixels' | 'frames' | 'drawing' | 'parts' | 'attributes' | 'levels' | 'broken'

export type PictureAnswer<Result> = { result: Result } | { fault: PictureFault; detail: string }

/** Beside a cropped picture lies all of it, for who changes the crop. */
export const wholeName = 'whole.webp'

/** The file of one width and type, in a folder or a storage. */
export const drawnName = (width: number, ending: string) => `${width}.${ending}`
