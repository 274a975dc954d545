import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { expect, test } from 'vitest'
import { aTempFolder } from '../../../test/support/databases.ts'
import { findUpdateProblem } from '../config/release.ts'
import { unpackRelease } from './unpack-release.ts'

async function anArchive(fill: (pack: tar.Pack) => void): Promise<{ archive: string; into: string }> {
  const folder = aTempFolder()
  const pack = tar.pack()
  fill(pack)
  pack.finalize()
  const archive = join(folder, 'release.tar.gz')
  writeFileSync(archive, gzipSync(await buffer(pack)))
  const into = join(folder, 'versions')
  mkdirSync(join(into, 'release-old'), { recursive: true })
  return { archive, into }
}

const room = 1_000_000

test('a release is unpacked anew each time, and replaces the unpacked releases that are not in use', async () => {
  const { archive, into } = await anArchive((pack) => {
    pack.entry({ name: './etalage-0.2.0/', type: 'directory' })
    pack.entry({ name: './etalage-0.2.0/release.json' }, '{}')
    pack.entry({ name: './etalage-0.2.0/bin/node', mode: 0o755 }, '#!')
  })
  mkdirSync(join(into, 'release-running', 'bin'), { recursive: true })
  // The data folder is a link, and the launcher names the folder that it leads to.
  const linked = join(into, '..', 'linked')
  symlinkSync(into, linked)
  const running = join(into, 'release-running')
  const { folder, hash } = await unpackRelease(archive, linked, { inUse: [running], maxBytes: room })
  expect(hash).toBe(createHash('sha256').update(readFileSync(archive)).digest('hex'))
  expect(readFileSync(join(folder, 'release.json'), 'utf8')).toBe('{}')
  expect(statSync(join(folder, 'bin', 'node')).mode & 0o777).toBe(0o700)
  writeFileSync(join(folder, 'bin', 'node'), 'changed by the program that runs')
  const again = await unpackRelease(archive, linked, { inUse: [running], maxBytes: room })
  expect(readFileSync(join(again.folder, 'bin', 'node'), 'utf8')).toBe('#!')
  expect(readdirSync(into).map((name) => join(linked, name))).toEqual([
    dirname(again.folder),
    join(linked, 'release-running'),
  ])
})

test.each([
  ['would write outside its folder', { name: '../../evil' }],
  ['would write outside its folder', { name: 'a/../../../evil' }],
  ['would write outside its folder', { name: '/tmp/evil' }],
  ['contains a symlink', { name: 'link', type: 'symlink', linkname: '/etc' }],
  ['has no release.json', { name: 'other' }],
] as const)('an archive that %s is refused, and leaves nothing outside: %j', async (reason, header) => {
  const { archive, into } = await anArchive((pack) => {
    pack.entry(header, 'type' in header ? '' : 'x')
  })
  await expect(unpackRelease(archive, into, { inUse: [], maxBytes: room })).rejects.toThrow(reason)
  expect(existsSync(join(into, '..', 'evil'))).toBe(false)
  expect(readdirSync(into).filter((name) => name.startsWith('.'))).toEqual([])
})

test('an archive that unpacks to more than there is room for is refused, and what was unpacked is removed', async () => {
  const { archive, into } = await anArchive((pack) => {
    pack.entry({ name: 'release.json' }, '{}')
    pack.entry({ name: 'zeros' }, '0'.repeat(2 * room))
  })
  expect(statSync(archive).size).toBeLessThan(10_000)
  await expect(unpackRelease(archive, into, { inUse: [], maxBytes: room })).rejects.toThrow(
    /takes more than 1000000 bytes/,
  )
  expect(readdirSync(into)).toEqual([])
})

test('an archive that is cut off is refused', async () => {
  const { archive, into } = await anArchive((pack) => {
    pack.entry({ name: 'release.json' }, '{}')
  })
  writeFileSync(archive, readFileSync(archive).subarray(0, -20))
  await expect(unpackRelease(archive, into, { inUse: [], maxBytes: room })).rejects.toThrow(/cannot be unpacked/)
})

test.each([
  ['0.2.0', '0.1.0', '0.1.9', undefined],
  ['0.10.0', '0.9.0', '0.9.0', undefined],
  ['0.10.0', '0.9.0', '0.8.12', /^0\.10\.0 cannot run beside 0\.8\.12: .* Update to 0\.9\.0 first\.$/],
  ['0.1.9', '0.1.0', '0.2.0', /^0\.1\.9 is older than 0\.2\.0/],
])(
  'updating to %s, which runs beside %s and later, from %s has the problem: %s',
  (version, runsBesideSince, present, reason) => {
    const release = { changedPages: [], folder: '/x' }
    const found = findUpdateProblem(
      { ...release, version, runsBesideSince },
      { ...release, version: present, runsBesideSince: present },
    )
    if (reason) expect(found).toMatch(reason)
    else expect(found).toBeUndefined()
  },
)
