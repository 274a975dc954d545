import { randomUUID } from 'node:crypto'
import type { Storage } from '../../platform/storage/storage.ts'
import { originalKey } from '../files/store-blob.ts'

/**
 * Lets a text have the content of files without holding it in memory: `markOf` gives what stands in the text for a file,
 * and `fillIn` yields the text with each mark replaced by the content in base64. A file that is gone is empty.
 */
export function fileContents(storage: Pick<Storage, 'read'>) {
  // Random, so that no text of a visitor contains a mark.
  const prefix = randomUUID()
  return {
    markOf: (blobId: string) => `${prefix}/${blobId}`,
    async *fillIn(text: string): AsyncGenerator<string, void, undefined> {
      const pieces = text.split(new RegExp(`${prefix}/([0-9a-f-]{36})`))
      for (const [index, piece] of pieces.entries()) {
        if (index % 2 === 0) yield piece
        else yield* (await storage.read(originalKey(piece)))?.setEncoding('base64') ?? []
      }
    },
  }
}
