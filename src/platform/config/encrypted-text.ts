// The library is loaded when needed, because it is large.

/** Encrypts a text with the program's secret, to store credentials of other servers in the database. */
export async function encryptText(secret: string, text: string): Promise<string> {
  const { symmetricEncrypt } = await import('better-auth/crypto')
  return symmetricEncrypt({ key: secret, data: text })
}

/** Decrypts a text of `encryptText`; undefined when it was encrypted with another secret. */
export async function decryptText(secret: string, encrypted: string): Promise<string | undefined> {
  const { symmetricDecrypt } = await import('better-auth/crypto')
  return symmetricDecrypt({ key: secret, data: encrypted }).catch(() => undefined)
}
