import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import { administrator } from '../support/administrator.ts'
import { aProgram, type Program } from '../support/program.ts'
import { residentMemory } from '../support/resident-memory.ts'
import { signInAsAdministrator } from '../support/session-cookies.ts'
import { aPdf, aPhoto } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

/** For all tests of this file, in their order: the first finds nothing stored, and each finds no upload going on. */
let site: { program: Program; cookie: string }
beforeAll(async () => {
  const program = await aProgram({ ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password })
  site = { program, cookie: await signInAsAdministrator(program.url) }
})

const arriving = ({ dataDir }: Program) => {
  const folder = join(dataDir, 'arriving')
  return existsSync(folder) ? readdirSync(folder) : []
}
const stored = ({ dataDir }: Program) => {
  const folder = join(dataDir, 'files')
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Sends the beginning of an upload with a longer Content-Length. @returns a function that aborts it */
function beginUpload({ program, cookie }: { program: Program; cookie: string }, name: string): () => void {
  const sending = request(`${program.url}/api/files?name=${name}`, {
    method: 'POST',
    headers: { cookie, 'Content-Type': 'application/octet-stream', 'Content-Length': '5000000' },
  })
  sending.on('error', () => {})
  sending.write(Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(1_000_000)]))
  return () => sending.destroy()
}

const upload = (
  { program, cookie }: { program: Program; cookie: string },
  name: string,
  body: Uint8Array<ArrayBuffer>,
) => fetch(`${program.url}/api/files?name=${name}`, { method: 'POST', headers: { cookie }, body })

test('an aborted upload leaves nothing, and one that a kill aborted leaves nothing after the next start', async () => {
  const { program } = site
  const breakOff = beginUpload(site, 'half.pdf')
  await waitUntil(() => arriving(program).length === 1, 'beginning of the upload')
  breakOff()
  await waitUntil(() => arriving(program).length === 0, 'end of what broke off')
  expect(stored(program)).toEqual([])

  beginUpload(site, 'afgebroken.pdf')
  await waitUntil(() => arriving(program).length === 1, 'beginning of the next')
  await program.kill()
  expect(arriving(program)).toHaveLength(1)
  await program.start()
  await waitUntil(() => arriving(program).length === 0, 'removal of what the killed program left')
  expect(stored(program)).toEqual([])
})

test('an acknowledged upload is there after a kill, and interrupted resizing is done again', async () => {
  const { program, cookie } = site
  const answer = await upload(site, 'groot.jpg', await aPhoto(1_000, 750))
  const { id, state } = (await answer.json()) as StoredFile
  expect([answer.status, state]).toEqual([201, 'waiting'])
  await waitUntil(() => arriving(program).length > 0, 'the start of resizing')
  await program.kill()
  await program.start()

  const made = await waitUntil(
    async () => {
      const found = (await (
        await fetch(`${program.url}/api/files/${id}`, { headers: { cookie } })
      ).json()) as StoredFile
      return found.state === 'ready' && found
    },
    'widths of the picture',
    180_000,
  )
  expect((await fetch(program.url + made.url)).status).toBe(200)
  await waitUntil(() => arriving(program).length === 0, 'removal of the partial uploads')
  // The images of the quick first pass are deleted a moment after the others are in use.
  await waitUntil(() => stored(program).length === 2, 'deletion of the images of the first pass')
})

test.skipIf(!existsSync('/proc'))('ten uploads of the largest size at once take less than 400 MB', async () => {
  const { program } = site
  const photo = await aHeavyPhoto(19_500_000)
  /** Of the server, and with its image workers. */
  const most = { server: 0, all: 0 }
  let busy = true
  const watching = (async () => {
    while (busy) {
      const { server, all } = residentMemory(program.process.pid ?? 0)
      most.server = Math.max(most.server, server)
      most.all = Math.max(most.all, all)
      await pause(100)
    }
  })()

  const pictures = Array.from({ length: 5 }, (_, index) => {
    const own = photo.slice()
    // After the end of the image data, so that each is a different file.
    own[own.length - 1] = index
    return upload(site, `foto${index}.jpg`, own)
  })
  const papers = Array.from({ length: 5 }, (_, index) =>
    upload(site, `${index}.pdf`, aPdf(`${index}${'x'.repeat(19_900_000)}`)),
  )
  const answers = await Promise.all([...pictures, ...papers])
  busy = false
  await watching

  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  process.stdout.write(
    `ten uploads of 20 MB at once: ${megabytes(most.server)}, with all beside it ${megabytes(most.all)}\n`,
  )
  expect(most.server).toBeGreaterThan(50_000_000)
  // At rest it has about 110 MB; the uploads held whole would add 200. On a busy machine the garbage collector runs late.
  expect(most.server).toBeLessThan(300_000_000)
  expect(most.all).toBeLessThan(400_000_000)
})

/** A photo of many pixels, padded to this size after the end of its data. */
async function aHeavyPhoto(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const photo = await aPhoto(6_000, 4_000)
  return new Uint8Array(Buffer.concat([photo, Buffer.alloc(Math.max(1, bytes - photo.length))]))
}
