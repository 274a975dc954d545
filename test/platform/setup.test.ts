import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aTempFolder } from '../support/databases.ts'

test('a Node 26 that lacks a library of the system ends a start with its name, and the package to install', () => {
  const project = aTempFolder()
  const bin = join(project, 'node_modules', 'node', 'bin')
  cpSync('scripts', join(project, 'scripts'), { recursive: true })
  mkdirSync(bin, { recursive: true })
  const missing = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file'
  writeFileSync(join(bin, 'node'), `#!/bin/sh\necho "node: ${missing}" >&2\nexit 127\n`, { mode: 0o755 })
  for (const [name, packages] of [
    ['package-lock.json', { '': {} }],
    ['node_modules/.package-lock.json', {}],
  ] as const) {
    writeFileSync(join(project, name), JSON.stringify({ packages }))
  }

  const script = join(project, 'scripts', 'start.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    `Node 26 does not start: node: ${missing}\nOn Debian and Ubuntu:  apt-get install libatomic1\n`,
  ])
})
