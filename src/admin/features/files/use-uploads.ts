import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { useText } from '../../i18n.ts'
import { fileChoicesQuery } from './files.ts'
import { rememberLocalImage, uniquelyNamed } from './local-images.ts'
import { isInProgress, type SentFile, sendFile, UploadQueue, uploadPath } from './upload-queue.ts'

const queues = new WeakMap<QueryClient, UploadQueue>()

/** The uploads of the files screen. They continue when the user opens another screen. */
export function useUploads() {
  const queries = useQueryClient()
  const queue = queues.get(queries) ?? makeQueue(queries)
  queues.set(queries, queue)
  return useQueue(queue)
}

/**
 * A separate queue, for a field that chooses files.
 * @param onStored called for each stored file, in the order in which they were chosen
 */
export function useSeparateUploads(onStored: (file: SentFile, sent: File) => void) {
  const queries = useQueryClient()
  const [queue] = useState(() => makeQueue(queries, onStored))
  return useQueue(queue)
}

function makeQueue(queries: QueryClient, onNext?: (file: SentFile, sent: File) => void): UploadQueue {
  return new UploadQueue({
    send: ({ file, folder }, signal, onProgress) =>
      sendFile({ method: 'POST', path: uploadPath(file.name, folder), file, signal, onProgress }),
    onStored(file, sent) {
      rememberLocalImage(file, sent)
      void queries.invalidateQueries({ queryKey: ['files'] })
    },
    onNext,
  })
}

function useQueue(queue: UploadQueue) {
  const t = useText()
  const uploads = useSyncExternalStore(queue.subscribe, queue.get)
  const { data: choices } = useQuery(fileChoicesQuery)
  // Other screens do not stop the uploads; leaving the admin does.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => queue.get().some(isInProgress) })

  /** Refuses a file that is too large without sending it. */
  const refuse = (file: File) => {
    const most = choices?.maxBytes
    return most !== undefined && file.size > most
      ? new TooLarge(t('files.queue.tooLarge', { mb: most / 1_000_000 }))
      : undefined
  }
  return {
    uploads,
    queue,
    /** @returns the files with the names under which they are sent */
    add(files: readonly File[], folder?: string): File[] {
      const sent = files.map(uniquelyNamed)
      queue.add(sent, folder, refuse)
      return sent
    },
  }
}

export class TooLarge extends Error {}
