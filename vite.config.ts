import { defineConfig } from 'vite'
import { adminChunks } from './build/admin-chunks.ts'
import { ageCipher } from './build/age-cipher.ts'
import { buildId } from './build/build-id.ts'
import { clientAssets } from './build/client-assets.ts'
import { commonPasswords } from './build/common-passwords.ts'
import { emptyDatabase } from './build/empty-database.ts'
import { lighterPackages } from './build/lighter-packages.ts'
import { packedFiles } from './build/packed-files.ts'
import { serverChunks } from './build/server-chunks.ts'
import { siteFonts } from './build/site-fonts.ts'

/** One build: the enhancements, the admin and the fonts for the browser, then the server that names them. */
export default defineConfig({
  appType: 'custom',
  publicDir: false,
  plugins: [
    buildId(),
    siteFonts(),
    clientAssets(),
    lighterPackages(),
    packedFiles(),
    commonPasswords(),
    ageCipher(),
    emptyDatabase(),
  ],
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  builder: {
    async buildApp(builder) {
      const { client, ssr } = builder.environments
      if (client) await builder.build(client)
      if (ssr) await builder.build(ssr)
    },
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: {
            enhance: 'src/enhance/main.ts',
            passkey: 'src/enhance/passkey.ts',
            suggest: 'src/enhance/suggest.ts',
            formCheck: 'src/enhance/form-check.ts',
            formSteps: 'src/enhance/form-steps.ts',
            admin: 'src/admin/main.tsx',
          },
          output: {
            codeSplitting: {
              groups: [
                // Else each thing that a screen shares with the admin's frame would be a file of its own.
                { name: 'frame', tags: ['$initial'], test: (id) => !id.includes('src/enhance/') },
                ...adminChunks(),
              ],
            },
          },
        },
      },
    },
    ssr: {
      resolve: { noExternal: true, external: ['sharp', 'jsdom', 'file-type', 'pg-native'] },
      build: {
        ssr: true,
        outDir: 'dist/server',
        emptyOutDir: true,
        minify: true,
        sourcemap: true,
        target: 'node26',
        rolldownOptions: {
          input: {
            main: 'src/main.ts',
            cli: 'src/cli/main.ts',
            'image-process': 'src/platform/images/image-process.ts',
            'backup-process': 'src/backup-process.ts',
          },
          // Beside the programs: the server finds the image process and its fonts next to itself.
          output: {
            chunkFileNames: '[name]-[hash].js',
            // V8 holds a file with a single other character in twice the memory.
            charset: 'ascii',
            codeSplitting: { groups: serverChunks() },
          },
        },
      },
    },
  },
})
