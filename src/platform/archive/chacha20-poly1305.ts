import { createCipheriv, createDecipheriv } from 'node:crypto'

const algorithm = 'chacha20-poly1305'
const tagBytes = 16

/**
 * The cipher of age (RFC 8439) by OpenSSL, with the interface of `@noble/ciphers`. The build makes `age-encryption` use
 * this one, because that one, in JavaScript, blocks the event loop for a millisecond with each 64 kB.
 */
export function chacha20poly1305(key: Uint8Array, nonce: Uint8Array) {
  return {
    /** @returns the ciphertext followed by the tag */
    encrypt(plaintext: Uint8Array): Uint8Array {
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
    },
    /** @throws when the tag does not match the ciphertext */
    decrypt(encrypted: Uint8Array): Uint8Array {
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      decipher.setAuthTag(encrypted.subarray(-tagBytes))
      const plaintext = decipher.update(encrypted.subarray(0, -tagBytes))
      decipher.final()
      return plaintext
    },
  }
}
