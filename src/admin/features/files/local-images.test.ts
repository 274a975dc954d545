import { expect, test } from 'vitest'
import type { StoredFile } from '../../../contract/files.ts'
import { forgetLocalImages, localImage, rememberLocalImage } from './local-images.ts'

const [gate, quay] = ['a'.repeat(32), 'b'.repeat(32)]
const upload = (id: number, publicId: string, name: string) =>
  rememberLocalImage(
    { id, url: `/files/${publicId}/${name}`, width: 4, height: 3, type: 'image/jpeg', crop: null } as StoredFile,
    new File([name], name, { type: 'image/jpeg' }),
  )

test('a file that is replaced or cropped is no longer shown from this computer, and others still are', () => {
  upload(1, gate, 'gate.jpg')
  upload(2, quay, 'quay.jpg')
  expect(localImage(gate)).toEqual({ src: expect.stringMatching(/^blob:/), width: 4, height: 3 })
  forgetLocalImages(1)
  expect(localImage(gate)).toBeUndefined()
  expect(localImage(quay)).toBeDefined()
})
