import type { ClientResponse } from 'hono/client'
import type { ResponseFormat } from 'hono/types'
import { refuseUnlessOk } from '../client.ts'

/**
 * Saves what a call answers as a file, under the name that the server gives it.
 * @throws {Refused}
 */
export async function saveFile(call: Promise<ClientResponse<unknown, number, ResponseFormat>>): Promise<void> {
  const response = await call
  await refuseUnlessOk(response)
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = fileName(response.headers.get('content-disposition'))
  link.click()
  // The browser has taken the bytes by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

const fileName = (disposition: string | null) =>
  decodeURIComponent(disposition?.match(/filename\*=UTF-8''([^;]+)/)?.[1] ?? 'export')
