import { join } from 'node:path'
import type { Plugin } from 'vite'

const replacedModule = '@noble/ciphers/chacha.js'

/** Gives `age-encryption` the cipher of OpenSSL (`chacha20-poly1305.ts`). The build fails if it imports none. */
export function ageCipher(): Plugin {
  let isReplaced = false
  return {
    name: 'etalage:age-cipher',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId(source, importer) {
      if (source !== replacedModule || !importer?.includes('/age-encryption/')) return undefined
      isReplaced = true
      return join(import.meta.dirname, '..', 'src', 'platform', 'archive', 'chacha20-poly1305.ts')
    },
    buildEnd(error) {
      if (this.environment.mode === 'build' && !error && !isReplaced)
        this.error(`age-encryption does not import ${replacedModule}`)
    },
  }
}
