import type { Readable } from 'node:stream'

/** Both ends are within it. */
export interface ByteRange {
  start: number
  end: number
}

/** Where uploads lie. A key is `folder/name`, made by the program; nothing of it comes from a name that somebody gave. */
export interface Storage {
  kind: 'local' | 's3'
  /** Stores the file at `path` whole or not at all. The file is gone from there afterwards. */
  put(key: string, path: string, type: string): Promise<void>
  /** Undefined when nothing is there. Whoever asks reads it to its end, or destroys it. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Gives `work` a file with what is stored, for a program that reads files. */
  withFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Removes all in a folder; what is not there is removed already. */
  remove(folder: string): Promise<void>
  close(): Promise<void>
}
