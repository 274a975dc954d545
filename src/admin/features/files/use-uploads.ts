import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { say, useText } from '../../i18n.ts'
import { fileChoicesQuery } from './files.ts'
import { type SentFile, sendFile, uploadPath } from './send-file.ts'
import { type Upload, UploadQueue } from './upload-queue.ts'

const queues = new WeakMap<QueryClient, UploadQueue>()

/** The uploads of the screen of files. They go on when one leaves it. */
export function useUploads() {
  const queries = useQueryClient()
  const known = queues.get(queries) ?? makeQueue(queries)
  queues.set(queries, known)
  return useQueue(known)
}

/** Uploads of their own, for who chooses a file. @param onStored told of each that arrived */
export function useOwnUploads(onStored: (file: SentFile, sent: File) => void) {
  const queries = useQueryClient()
  const [queue] = useState(() => makeQueue(queries, onStored))
  return useQueue(queue)
}

function makeQueue(queries: QueryClient, onStored?: (file: SentFile, sent: File) => void): UploadQueue {
  return new UploadQueue({
    send: ({ file, folder }, signal, onProgress) =>
      sendFile({ method: 'POST', path: uploadPath(file.name, folder), file, signal, onProgress }),
    onStored(file, sent) {
      void queries.invalidateQueries({ queryKey: ['files'] })
      onStored?.(file, sent)
    },
  })
}

function useQueue(queue: UploadQueue) {
  const t = useText()
  const uploads = useSyncExternalStore(queue.subscribe, queue.get)
  const { data: choices } = useQuery(fileChoicesQuery)
  // Another screen is no reason to stop; another page is.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => queue.get().some(isUnderWay) })

  /** What is too large need not be sent to be refused. */
  const refuse = (file: File) => {
    const most = choices?.maxBytes
    return most !== undefined && file.size > most
      ? new TooLarge(t('files.queue.tooLarge', { mb: most / 1_000_000 }))
      : undefined
  }
  return {
    uploads,
    queue,
    /** @returns them as they are sent */
    add(files: readonly File[], folder?: string): File[] {
      const sent = files.map(named)
      queue.add(sent, folder, refuse)
      return sent
    },
  }
}

export class TooLarge extends Error {}

export const isUnderWay = ({ state }: Upload) => state === 'waiting' || state === 'sending'

/** What comes from the clipboard is called `image.png`, every time. */
function named(file: File): File {
  if (file.name !== 'image.png') return file
  const at = new Date().toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ')
  return new File([file], `${say('files.pasted')} ${at}.png`, { type: file.type })
}
