import type { StoredFile } from '../../../contract/files.ts'
import { askAgain, problemOf, Refused, Unreachable } from '../../client.ts'
import { spokenLocale } from '../../i18n.ts'

/** What the server has now; `already`: it had the same content before. */
export type SentFile = StoredFile & { already?: boolean }

interface Sending {
  method: 'POST' | 'PUT'
  /** Of the API, with what stands in its query. */
  path: string
  file: File
  signal: AbortSignal
  /** A hundredth of what is sent. */
  onProgress: (percent: number) => void
}

/**
 * Sends a file and tells how far it is, which `fetch` cannot. Who has been signed out meanwhile is asked, and it is sent
 * once more.
 * @throws {Refused}, {Unreachable}, or the reason of the signal when it aborted
 */
export async function sendFile(sending: Sending): Promise<SentFile> {
  try {
    return await sendOnce(sending)
  } catch (error) {
    if (await askAgain(error)) return sendOnce(sending)
    throw error
  }
}

function sendOnce({ method, path, file, signal, onProgress }: Sending): Promise<SentFile> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, `/api${path}`)
    request.setRequestHeader('Accept-Language', spokenLocale())
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? Math.floor((100 * loaded) / total) : 100)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve(JSON.parse(request.responseText))
      const { status, statusText } = request
      void problemOf({ status, statusText, json: async () => JSON.parse(request.responseText) }).then((problem) =>
        reject(new Refused(problem)),
      )
    }
    request.onerror = () => reject(new Unreachable())
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

export const uploadPath = (name: string, folder: string | undefined) =>
  `/files?${new URLSearchParams({ name, ...(folder && { folder }) })}`
