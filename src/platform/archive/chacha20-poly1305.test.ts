import { randomBytes } from 'node:crypto'
import { chacha20poly1305 as inJavaScript } from '@noble/ciphers/chacha.js'
import { expect, test } from 'vitest'
import { chacha20poly1305 } from './chacha20-poly1305.ts'

test.each([0, 1, 16, 65_535, 65_536])('the cipher is that of age, with %d bytes', (bytes) => {
  const [key, nonce, plaintext] = [randomBytes(32), randomBytes(12), randomBytes(bytes)]
  const encrypted = chacha20poly1305(key, nonce).encrypt(plaintext)
  expect(Buffer.compare(encrypted, inJavaScript(key, nonce).encrypt(plaintext))).toBe(0)
  expect(Buffer.compare(chacha20poly1305(key, nonce).decrypt(encrypted), plaintext)).toBe(0)
})

test('altered or truncated data is not decrypted', () => {
  const [key, nonce] = [randomBytes(32), randomBytes(12)]
  const cipher = chacha20poly1305(key, nonce)
  const encrypted = cipher.encrypt(Buffer.from('Prijslijst'))
  for (const at of [0, encrypted.length - 1]) {
    const altered = Buffer.from(encrypted)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    expect(() => cipher.decrypt(altered)).toThrow()
  }
  for (const length of [0, 15, encrypted.length - 1])
    expect(() => cipher.decrypt(encrypted.subarray(0, length))).toThrow()
  expect(() => chacha20poly1305(randomBytes(32), nonce).decrypt(encrypted)).toThrow()
})
