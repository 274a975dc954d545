import type { Readable } from 'node:stream'

/** `start` and `end` are inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** Stores uploads. A blob has objects with keys such as `<blob id>/original`; no part of a key comes from user input. */
export interface Storage {
  /** Moves the file at `path` into the storage, atomically. @throws {Refusal} `storage_unavailable` */
  put(key: string, path: string, type: string): Promise<void>
  /**
   * Undefined when there is no such object. The caller must read or destroy the stream.
   * @throws {Refusal} `storage_unavailable`
   */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Returns the keys of a blob's objects, sorted; none when nothing is stored. @throws {Refusal} `storage_unavailable` */
  list(blobId: string): Promise<string[]>
  /**
   * Returns the path of a local file with an object: a copy in `folder`, unless the storage is local.
   * @throws when it does not exist
   */
  localFile(key: string, folder: string): Promise<string>
  /** Deletes all objects of a blob; no error if there are none. */
  remove(blobId: string): Promise<void>
  close(): Promise<void>
}

/** Splits a key. @throws for an invalid key, so that none, such as `../x`, leads out of the storage */
export function storageKeyParts(key: string): string[] {
  const parts = key.split('/')
  if (parts.length > 2 || !parts.every((part) => /^\w[\w.-]*$/.test(part))) throw new Error('not a storage key')
  return parts
}
