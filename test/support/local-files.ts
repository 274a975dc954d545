import type { Page } from 'playwright-core'

/** A file on the machine of the user, as Playwright takes it. */
export interface LocalFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const localFile = (name: string, bytes: Uint8Array, mimeType = 'image/jpeg'): LocalFile => ({
  name,
  mimeType,
  buffer: Buffer.from(bytes),
})

/** Drops files on the file field of a page, or pastes them into the page, by dispatching the events of a browser. */
export async function dropOrPasteFiles(page: Page, how: 'drop' | 'paste', files: LocalFile[]): Promise<void> {
  const transferable = files.map(({ buffer, ...file }) => ({ ...file, base64: buffer.toString('base64') }))
  await page.evaluate(
    ({ how, transferable }) => {
      const data = new DataTransfer()
      for (const { name, mimeType, base64 } of transferable) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        data.items.add(new File([bytes], name, { type: mimeType }))
      }
      if (how === 'paste') {
        document.body.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
        return
      }
      const dropZone = document.querySelector('input[type=file]')?.parentElement
      for (const type of ['dragenter', 'dragover', 'drop']) {
        dropZone?.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
      }
    },
    { how, transferable },
  )
}
