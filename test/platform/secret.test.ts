import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { keepSecret } from '../../src/platform/config/secret.ts'
import { aFolder } from '../support/databases.ts'

test('a secret is made once and kept where only its owner reads', () => {
  const folder = join(aFolder(), 'data')
  const secret = keepSecret(folder, undefined)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(keepSecret(folder, undefined)).toBe(secret)
  expect(keepSecret(aFolder(), undefined)).not.toBe(secret)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
})

test('programs that start at the same moment have the same secret', async () => {
  const folders = Array.from({ length: 60 }, () => join(aFolder(), 'data'))
  const source = pathToFileURL('src/platform/config/secret.ts').href
  const gate = new Int32Array(new SharedArrayBuffer(4 * folders.length))
  const program = `
    const { parentPort, workerData: { gate, folders, programs, source } } = require('node:worker_threads')
    import(source).then(({ keepSecret }) => {
      parentPort.postMessage(folders.map((folder, at) => {
        Atomics.add(gate, at, 1)
        while (Atomics.load(gate, at) < programs);
        try { return keepSecret(folder) } catch (error) { return error.message }
      }))
    })`
  const programs = 2
  const kept = await Promise.all(
    Array.from({ length: programs }, async () => {
      const worker = new Worker(program, { eval: true, workerData: { gate, folders, programs, source } })
      const [secrets] = await once(worker, 'message')
      return secrets as string[]
    }),
  )
  for (const secret of kept.flat()) expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(kept[0]).toEqual(kept[1])
  expect(folders.flatMap((folder) => readdirSync(folder))).toEqual(folders.map(() => 'secret'))
})

test('the setting wins, and nothing is written then', () => {
  const folder = join(aFolder(), 'data')
  expect(keepSecret(folder, 'x'.repeat(32))).toBe('x'.repeat(32))
  expect(() => statSync(folder)).toThrow('ENOENT')
})

test('a cut-off secret stops the start and is not shown', () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'secret'), 'abcdef')
  expect(() => keepSecret(folder, undefined)).toThrow(/holds 6 characters; at least 32 are wanted/)
  expect(() => keepSecret(folder, undefined)).not.toThrow(/abcdef/)
})
