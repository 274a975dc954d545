import { randomUUID } from 'node:crypto'
import type { Storage } from '../../platform/storage/storage.ts'
import { originalKey } from '../files/store-blob.ts'

/**
 * Streams file contents into a text without holding them in memory: `markOf` returns a placeholder for a file, and `fillIn`
 * yields the text with each placeholder replaced by the content in base64, or by nothing if the file was deleted.
 */
export function fileContents(storage: Pick<Storage, 'read'>) {
  // Random, so that no text of a visitor contains a placeholder.
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
