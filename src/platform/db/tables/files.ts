import type { Generated, GeneratedAlways } from 'kysely'

export interface FileTable {
  id: Generated<number>
  /** The display name, with the extension of its type. */
  name: string
  /** Index in `fileKinds`, counted from one. */
  kind: number
  /** The media type, detected from the content, such as `image/jpeg`. */
  type: string
  bytes: number
  /** SHA-256 of the stored original, in hex. */
  content_hash: string
  /** Names the file in its current URL: `/files/{public_id}/{name}`. */
  public_id: string
  /** The blob with the original and its preview. */
  blob_id: string
  folder_id: number | null
  /** The name of the folder, for search. */
  folder_name: Generated<string>
  alt_nl: Generated<string>
  alt_fa: Generated<string>
  /** JSON: the descriptions in other languages, by tag. */
  alt_other: Generated<string>
  /** The texts of `alt_other`, for search. */
  alt_other_text: Generated<string>
  /** The size of the uncropped image in pixels, after the EXIF orientation is applied. */
  width: number | null
  height: number | null
  /** More than 1 for an animation. */
  frames: Generated<number>
  /** A data URL of a tiny blurred copy, shown while the image loads. */
  placeholder: string | null
  /** The size of the preview; null: it has none. */
  preview_bytes: number | null
  /** JSON: `CropArea`, in pixels of the uncropped image. */
  crop: string | null
  /** The focal point of the cropped image, in percent from the left and the top. */
  focal_x: Generated<number>
  focal_y: Generated<number>
  /** JSON: `ResizedImages`, of this content or, until they are made, of the previous content. */
  resized_images: string | null
  /** The blob with the resized images. */
  resized_blob_id: string | null
  /** `waiting`: it is in the resize queue; `failed`: it could not be resized. */
  state: 'ready' | 'waiting' | 'failed'
  attempts: Generated<number>
  /** The time from which the image may be resized, or at which the lease of the process that resizes it ends. */
  due_at: string | null
  /** The user who caused the resizing; the queue alternates between users. */
  queued_by: number | null
  /**
   * The turn in the queue, lowest first. A user's first image gets the lowest turn that is still waiting, and each further
   * one the turn after the previous: so each user has one image per turn.
   */
  queue_turn: Generated<number>
  /** The name of the uploader at that time. */
  added_by: string
  /** Null for files that were added before this column, unless the audit log names the user. */
  added_by_id: number | null
  version: Generated<number>
  created_at: string
  updated_at: string
  /** For search and sorting; the database generates it. */
  search_text: GeneratedAlways<string>
}

/** A folder without files stays stored, and lists leave it out. */
export interface FileFolderTable {
  id: Generated<number>
  name: string
}

/** The number of files by kind and folder (0: no folder); the database maintains it. */
export interface FileCountTable {
  folder_id: number
  kind: number
  counted: number
}

/** Every public id that a file has or had; the old ones redirect. */
export interface FilePublicIdTable {
  public_id: string
  file_id: number
}

/** The storage of one upload or one resizing; it is reserved before anything is stored, and garbage once it is released. */
export interface StoredBlobTable {
  id: string
  state: 'reserved' | 'committed' | 'released'
  /** When it was reserved or released; later if its removal was put off (`deferRemoval`). */
  at: string
  /** The total size of its objects. */
  bytes: number
}
