import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aTempFolder } from '../../test/support/databases.ts'
import { readRelease } from '../platform/config/release.ts'
import { rehearse } from './rehearse.ts'

/**
 * A program that answers as a website does, without one.
 * @param start what it does before it serves
 * @param answer how it answers, instead of shortly
 */
const program = (start: string, answer = '') => `
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const migrated = process.env.DATA_DIR + '/migrated'
${start}
const server = createServer((request, response) => {
  request.resume()
  ${answer}
  const isForm = /urlencoded/.test(request.headers['content-type'])
  response.writeHead(isForm ? 303 : request.method === 'POST' ? 201 : 200).end('page')
})
process.on('message', () => process.send({ canary: '' }))
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
`

function aRelease(version: string, start: string, answer?: string) {
  const folder = join(aTempFolder(), version)
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'node'))
  writeFileSync(join(folder, 'program.mjs'), program(start, answer))
  const how = { program: 'node', args: ['program.mjs'], environment: {} }
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ version, runsBesideSince: '0.1.0', start: how }))
  return readRelease(folder)
}

test('the rehearsal of an update refuses a version after which the old version no longer starts', async () => {
  const present = aRelease('0.1.0', "if (existsSync(migrated)) throw new Error('unknown migration')")
  const expanding = aRelease('0.2.0', '')
  expect(await rehearse({ current: present, next: expanding }, aTempFolder(), ['/'])).toEqual({ changedPages: [] })
  const contracting = aRelease('0.3.0', "writeFileSync(migrated, '')")
  await expect(rehearse({ current: present, next: contracting }, aTempFolder(), ['/'])).rejects.toThrow(
    /^there is no way back, on the database as 0\.3\.0 leaves it: 0\.1\.0 does not start: .*unknown migration/s,
  )
})

test('the rehearsal of an update accepts a confirmation on a separate page, if the home page has no contact form', async () => {
  const present = aRelease('0.1.0', '')
  const next = aRelease(
    '0.2.0',
    '',
    "if (/urlencoded/.test(request.headers['content-type'])) return response.end('thanks')",
  )
  expect(await rehearse({ current: present, next }, aTempFolder(), ['/'])).toEqual({ changedPages: [] })
})

test('the rehearsal of an update refuses a version that answers a JSON message with a page', async () => {
  const next = aRelease('0.2.0', '', "if (request.method === 'POST') return response.end('thanks')")
  const refused = rehearse({ current: aRelease('0.1.0', ''), next }, aTempFolder(), ['/'])
  await expect(refused).rejects.toThrow(/^the contact form answers 200 to a message/)
})

test('the rehearsal of an update refuses a version that does not send a page to its end', async () => {
  const present = aRelease('0.1.0', '')
  const next = aRelease('0.2.0', '', "response.write('half'); return setImmediate(() => response.destroy())")
  await expect(rehearse({ current: present, next }, aTempFolder(), ['/'])).rejects.toThrow(/^\/ does not answer/)
})
