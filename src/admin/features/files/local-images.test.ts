import { resolveObjectURL } from 'node:buffer'
import { expect, test } from 'vitest'
import type { StoredFile } from '../../../contract/files.ts'
import {
  forgetLocalImages,
  isUploadedHere,
  localImage,
  objectUrlOf,
  releaseLocalImage,
  rememberLocalImage,
  removeUploadPreview,
  setUploadPreview,
  showDroppedImage,
  uploadPreviewOf,
} from './local-images.ts'

const [gate, quay] = ['a'.repeat(32), 'b'.repeat(32)]
const upload = (id: number, publicId: string, name: string) =>
  rememberLocalImage(
    { id, url: `/files/${publicId}/${name}`, width: 4, height: 3, type: 'image/jpeg', crop: null } as StoredFile,
    new File([name], name, { type: 'image/jpeg' }),
  )

test('after a file is replaced or cropped its local preview is no longer shown, and those of other files still are', () => {
  upload(1, gate, 'gate.jpg')
  upload(2, quay, 'quay.jpg')
  expect(localImage(gate)).toEqual({ src: expect.stringMatching(/^blob:/), width: 4, height: 3 })
  forgetLocalImages(1)
  expect(localImage(gate)).toBeUndefined()
  expect(localImage(quay)).toBeDefined()
})

test('a pasted image does not stay in memory once the server has resized it', () => {
  upload(3, 'c'.repeat(32), 'bridge.jpg')
  const { src = '' } = localImage('c'.repeat(32)) ?? {}
  expect(resolveObjectURL(src)).toBeDefined()
  releaseLocalImage('c'.repeat(32))
  expect([resolveObjectURL(src), localImage('c'.repeat(32))]).toEqual([undefined, undefined])
  // Other lists of blocks may still wait for the same image.
  expect(isUploadedHere('c'.repeat(32))).toBe(true)
})

test('an image dropped on a block replaces the preview of an earlier one, also if the browser cannot show it at once', () => {
  const photo = new File(['photo'], 'gate.jpg', { type: 'image/jpeg' })
  const scan = new File(['scan'], 'quay.tiff', { type: 'image/tiff' })
  showDroppedImage('hero', photo)
  const read = uploadPreviewOf('hero')
  if (!read) throw new Error('the photo is not shown')
  expect(read.src).toBe(objectUrlOf(photo))
  showDroppedImage('hero', scan)
  // The photo is read, and stored, after the scan was dropped.
  setUploadPreview('hero', photo, read)
  expect(uploadPreviewOf('hero')).toBeUndefined()
  setUploadPreview('hero', scan, { ...read, src: objectUrlOf(scan) })
  removeUploadPreview('hero', photo)
  expect(uploadPreviewOf('hero')?.src).toBe(objectUrlOf(scan))
  removeUploadPreview('hero', scan)
  expect(uploadPreviewOf('hero')).toBeUndefined()
})
