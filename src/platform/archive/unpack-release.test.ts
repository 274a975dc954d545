import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { expect, test } from 'vitest'
import { aTempFolder } from '../../../test/support/databases.ts'
import { whyNotBeside } from '../config/release.ts'
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

test('the archive of a release is unpacked once, in the place of those that are not used', async () => {
  const { archive, into } = await anArchive((pack) => {
    pack.entry({ name: './etalage-0.2.0/', type: 'directory' })
    pack.entry({ name: './etalage-0.2.0/release.json' }, '{}')
    pack.entry({ name: './etalage-0.2.0/bin/node', mode: 0o755 }, '#!')
  })
  mkdirSync(join(into, 'release-running', 'bin'), { recursive: true })
  const folder = await unpackRelease(archive, into, [join(into, 'release-running')])
  expect(readFileSync(join(folder, 'release.json'), 'utf8')).toBe('{}')
  expect(statSync(join(folder, 'bin', 'node')).mode & 0o777).toBe(0o700)
  writeFileSync(join(folder, 'marked'), '')
  expect(await unpackRelease(archive, into, [join(into, 'release-running')])).toBe(folder)
  expect(existsSync(join(folder, 'marked'))).toBe(true)
  expect(readdirSync(into)).toEqual([expect.stringMatching(/^release-[0-9a-f]{16}$/), 'release-running'])
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
  await expect(unpackRelease(archive, into, [])).rejects.toThrow(reason)
  expect(existsSync(join(into, '..', 'evil'))).toBe(false)
  expect(readdirSync(into).filter((name) => name.startsWith('.'))).toEqual([])
})

test('an archive that is cut off is refused', async () => {
  const { archive, into } = await anArchive((pack) => {
    pack.entry({ name: 'release.json' }, '{}')
  })
  writeFileSync(archive, readFileSync(archive).subarray(0, -20))
  await expect(unpackRelease(archive, into, [])).rejects.toThrow(/cannot be unpacked/)
})

test.each([
  ['0.2.0', '0.1.0', '0.1.9', undefined],
  ['0.10.0', '0.9.0', '0.9.0', undefined],
  ['0.10.0', '0.9.0', '0.8.12', /^0\.10\.0 cannot run beside 0\.8\.12: .* Update to 0\.9\.0 first\.$/],
  ['0.1.9', '0.1.0', '0.2.0', /^0\.1\.9 is older than 0\.2\.0/],
])('%s, which runs beside %s and later, in the place of %s', (version, runsBesideSince, present, reason) => {
  const release = { changedPages: [], folder: '/x' }
  const found = whyNotBeside(
    { ...release, version, runsBesideSince },
    { ...release, version: present, runsBesideSince: present },
  )
  if (reason) expect(found).toMatch(reason)
  else expect(found).toBeUndefined()
})
