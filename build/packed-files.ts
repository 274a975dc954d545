import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes a Brotli copy of each browser script and stylesheet, so that the server need not compress them. */
export function packedFiles(): Plugin {
  return {
    name: 'etalage:packed-files',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name)
          const body = await readFile(path)
          const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
          await writeFile(`${path}.br`, await promisify(brotliCompress)(body, { params }))
        }),
      )
    },
  }
}
