import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { loadSecret } from '../../src/platform/config/secret.ts'
import { aTempFolder } from '../support/databases.ts'
import { aSmallDisk, canMount } from '../support/small-disk.ts'

test('a secret is generated once, in a file that only its owner can read', () => {
  const folder = join(aTempFolder(), 'data')
  const secret = loadSecret(folder, undefined)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(loadSecret(folder, undefined)).toBe(secret)
  expect(loadSecret(aTempFolder(), undefined)).not.toBe(secret)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
})

test('programs that start at the same moment get the same secret', async () => {
  const folders = Array.from({ length: 60 }, () => join(aTempFolder(), 'data'))
  const source = pathToFileURL('src/platform/config/secret.ts').href
  const gate = new Int32Array(new SharedArrayBuffer(4 * folders.length))
  const program = `
    const { parentPort, workerData: { gate, folders, programs, source } } = require('node:worker_threads')
    import(source).then(({ loadSecret }) => {
      parentPort.postMessage(folders.map((folder, at) => {
        Atomics.add(gate, at, 1)
        while (Atomics.load(gate, at) < programs);
        try { return loadSecret(folder) } catch (error) { return error.message }
      }))
    })`
  const programs = 2
  const perProgram = await Promise.all(
    Array.from({ length: programs }, async () => {
      const worker = new Worker(program, { eval: true, workerData: { gate, folders, programs, source } })
      const [secrets] = await once(worker, 'message')
      return secrets as string[]
    }),
  )
  for (const secret of perProgram.flat()) expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(perProgram[0]).toEqual(perProgram[1])
  expect(folders.flatMap((folder) => readdirSync(folder))).toEqual(folders.map(() => 'secret'))
})

test.runIf(canMount)('on a full disk no secret is made, and nothing is left of the try', () => {
  const folder = aSmallDisk(join(aTempFolder(), 'data'), 4_096)
  writeFileSync(join(folder, 'vol'), Buffer.alloc(4_096))
  expect(() => loadSecret(folder, undefined)).toThrow('ENOSPC')
  expect(readdirSync(folder)).toEqual(['vol'])
})

test('the setting takes precedence, and then nothing is written', () => {
  const folder = join(aTempFolder(), 'data')
  expect(loadSecret(folder, 'x'.repeat(32))).toBe('x'.repeat(32))
  expect(() => statSync(folder)).toThrow('ENOENT')
})

test('a truncated secret stops the start and is not shown', () => {
  const folder = aTempFolder()
  writeFileSync(join(folder, 'secret'), 'abcdef')
  expect(() => loadSecret(folder, undefined)).toThrow(/holds 6 characters; at least 32 are wanted/)
  expect(() => loadSecret(folder, undefined)).not.toThrow(/abcdef/)
})
