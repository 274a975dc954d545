import type { Generated, GeneratedAlways } from 'kysely'

export interface FileTable {
  id: Generated<number>
  /** As people call it, with the ending of what it is. */
  name: string
  /** A place in `fileKinds`, counted from one. */
  kind: number
  /** By what is in it, like `image/jpeg`. */
  type: string
  bytes: number
  /** SHA-256 of what is stored, in hex. */
  hash: string
  /** What the address of today's content begins with: `/files/{address}/{name}`. */
  address: string
  /** Folder of the storage in which the content lies, as `original`. */
  blob: string
  folder_id: number | null
  /** The name of that folder, for the search. */
  folder_name: Generated<string>
  alt_nl: Generated<string>
  alt_fa: Generated<string>
  /** Of the whole picture, as it is seen. */
  width: number | null
  height: number | null
  frames: Generated<number>
  placeholder: string | null
  /** JSON: `Area`, in pixels of the whole picture. */
  crop: string | null
  /** What must stay in sight when edges are cut off, in hundredths from the left and the top. */
  focal_x: Generated<number>
  focal_y: Generated<number>
  /** JSON: `MadePictures`, of this content or, until they are made, of the one before. */
  pictures: string | null
  /** Folder of the storage in which they lie. */
  pictures_blob: string | null
  /** `waiting`: its pictures are to be made. */
  state: 'ready' | 'waiting' | 'failed'
  attempts: Generated<number>
  /** When its pictures are to be made, or the lease of who makes them ends. */
  due_at: string | null
  /** Who uploaded it, as they were called then. */
  added_by: string
  version: Generated<number>
  created_at: string
  updated_at: string
  /** What is searched and put in order by; the database makes it. */
  search_text: GeneratedAlways<string>
}

/** A folder is there while it has files. */
export interface FileFolderTable {
  id: Generated<number>
  name: string
}

/** How many files of a kind a folder (0: none) has; the database keeps it. */
export interface FileCountTable {
  folder_id: number
  kind: number
  counted: number
}

/** Every address that a file has had: each leads to what it is today. */
export interface FileAddressTable {
  address: string
  file_id: number
}

/** A folder of the storage, told of before anything is in it: what is neither kept nor new is removed. */
export interface StoredBlobTable {
  blob: string
  state: 'arriving' | 'kept' | 'leaving'
  at: string
}
