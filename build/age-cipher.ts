import { join } from 'node:path'
import type { Plugin } from 'vite'

const replaced = '@noble/ciphers/chacha.js'

/** Gives `age-encryption` the cipher of OpenSSL: see `chacha20-poly1305.ts`. The build fails when it no longer imports one. */
export function ageCipher(): Plugin {
  let isReplaced = false
  return {
    name: 'etalage:age-cipher',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId(source, importer) {
      if (source !== replaced || !importer?.includes('/age-encryption/')) return undefined
      isReplaced = true
      return join(import.meta.dirname, '..', 'src', 'platform', 'archive', 'chacha20-poly1305.ts')
    },
    buildEnd(error) {
      if (this.environment.mode === 'build' && !error && !isReplaced)
        this.error(`age-encryption does not import ${replaced}`)
    },
  }
}
