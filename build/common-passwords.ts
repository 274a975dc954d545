import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

/** Copies the list of common passwords to the built server, which searches it as text: see `password.ts`. */
export function commonPasswords(): Plugin {
  return {
    name: 'etalage:common-passwords',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    async generateBundle() {
      const list = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
      this.emitFile({ type: 'asset', fileName: 'common-passwords.json', source: await readFile(list) })
    },
  }
}
