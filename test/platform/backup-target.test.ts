import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { generateX25519Identity } from 'age-encryption'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readJournalAt } from '../../src/domain/backup/journal.ts'
import { readItems, writeArchive } from '../../src/platform/archive/archive.ts'
import { type BackupTarget, folderTarget, testTarget, verifyStored } from '../../src/platform/archive/backup-target.ts'
import { s3Target } from '../../src/platform/archive/s3-target.ts'
import { rowsPerBatch } from '../../src/platform/db/dialect/database-copy.ts'
import { parseStorageUrl } from '../../src/platform/storage/s3.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aDatabase, aTempFolder } from '../support/databases.ts'
import { aBucket } from '../support/s3.ts'

const mebibyte = 1_048_576
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'

async function aBucketTarget(): Promise<BackupTarget> {
  const { endpoint, region, bucket, credentials } = parseStorageUrl(await aBucket())
  const access = { endpoint, region, bucket, prefix: 'etalage/nacht', ...credentials }
  const target = s3Target(access, undefined, 8 * mebibyte)
  closeAfterTest(() => target.close())
  return target
}

/** A server that answers like S3, as the test wants it. */
async function anS3ThatAnswers(answer: RequestListener, timeoutMs?: number, partBytes?: number): Promise<BackupTarget> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  const access = { endpoint, region: 'us-east-1', bucket: 'kluis', prefix: '', accessKeyId: 'x', secretAccessKey: 'y' }
  const target = s3Target(access, timeoutMs, partBytes)
  closeAfterTest(() => {
    target.close()
    server.closeAllConnections()
    server.close()
  })
  return target
}

test.each([
  ['a folder', () => folderTarget(join(aTempFolder(), 'nieuw'))],
  ['a bucket', aBucketTarget],
])('%s takes an archive in pieces, gives it back, renames and removes it', async (_name, aTarget) => {
  const target = await aTarget()
  await testTarget(target)
  // Larger than two parts of an upload.
  const chunk = Buffer.alloc(1_048_576, 'etalage ')
  const written = await writeArchive({ target, name: 'etalage-nacht.tar.age' }, recipient, async (add) => {
    await add(
      'films',
      (async function* () {
        for (let number = 0; number < 18; number++) yield chunk
      })(),
    )
  })
  expect(written.bytes).toBeGreaterThan(18 * 1_048_576)
  await verifyStored(target, 'etalage-nacht.tar.age', written)
  const other = { ...written, hash: '0'.repeat(64) }
  await expect(verifyStored(target, 'etalage-nacht.tar.age', other)).rejects.toThrow(/gives back other bytes/)

  await target.write('klein', Readable.from([Buffer.from('een')]))
  await target.write('klein', Readable.from([Buffer.from('twee')]))
  await target.rename('klein', 'anders')
  expect(await target.read('klein')).toBeUndefined()
  expect(String(await buffer((await target.read('anders')) as AsyncIterable<Uint8Array>))).toBe('twee')
  await target.write('map/een', Readable.from([Buffer.from('drie')]))
  const listed = async (folder: string) =>
    (await target.list(folder)).map(({ name, bytes }) => `${name} ${bytes}`).toSorted()
  expect(await listed(''), 'nothing of others').toEqual([`etalage-nacht.tar.age ${written.bytes}`])
  expect(await listed('map')).toEqual(['een 4'])
  expect(await listed('nergens')).toEqual([])
  expect((await target.list('map'))[0]?.at.getTime()).toBeGreaterThan(Date.now() - 60_000)
  await target.remove('map/een')
  expect(await listed('map')).toEqual([])

  await target.remove('anders')
  await target.remove('anders')
  expect(await target.read('anders')).toBeUndefined()
})

/** Counts the turns of the event loop, in which requests run. */
function countTurns(): () => number {
  let turns = 0
  const count = () => {
    turns++
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  closeAfterTest(() => clearImmediate(immediate))
  return () => turns
}

test('requests run while an archive is encrypted: after each 64 kB', async () => {
  const turns = countTurns()
  const bytesInTurn = new Map<number, number>()
  const target = {
    async write(_name: string, content: AsyncIterable<Uint8Array>) {
      for await (const { length } of content) bytesInTurn.set(turns(), (bytesInTurn.get(turns()) ?? 0) + length)
    },
  }
  const written = await writeArchive({ target, name: 'nacht.tar.age' }, recipient, async (add) => {
    await add('film', ['etalage '.repeat(400_000)])
  })
  expect(written.bytes).toBeGreaterThan(3_000_000)
  expect(Math.max(...bytesInTurn.values())).toBeLessThan(200_000)
})

test('requests run while the rows of a SQLite are read: after each batch', async () => {
  const { db, dialect } = await aDatabase('sqlite')
  const blobs = Array.from({ length: 3 * rowsPerBatch }, (_, number) => `blob-${number}`)
  const at = new Date().toISOString()
  await db
    .insertInto('stored_blob')
    .values(blobs.map((id) => ({ id, state: 'committed', at, bytes: 1 }) as const))
    .execute()
  const turns = countTurns()
  const found: number[] = []
  for await (const _ of dialect.copy.readRows(db, { name: 'stored_blob', columns: ['id'] })) found.push(turns())
  expect(found).toHaveLength(3)
  expect(new Set(found).size).toBe(3)
})

test('an error while the content of an archive is read is passed on, and nothing of the archive is left', async () => {
  const folder = aTempFolder()
  for (const target of [folderTarget(folder), await aBucketTarget()]) {
    const fails = writeArchive({ target, name: 'half' }, recipient, async (add) => {
      await add('rows', ['some'])
      throw new Error('the database went away')
    })
    await expect(fails).rejects.toThrow('the database went away')
    expect(await target.read('half')).toBeUndefined()
  }
  expect(readdirSync(folder)).toEqual([])
})

test('the reason of a target that fails is reported, whether or not an entry was being written', async () => {
  const stopped = Promise.withResolvers<void>()
  const filled = Promise.withResolvers<void>()
  const target: Pick<BackupTarget, 'write'> = {
    async write(_, content) {
      for await (const _ of content) break
      stopped.resolve()
      await filled.promise
      throw new Error('the disk is full')
    },
  }
  const writing = writeArchive({ target, name: 'half' }, recipient, async (add) => {
    try {
      await add('one', ['some'])
      await stopped.promise
      await add('another', ['some'])
    } finally {
      filled.resolve()
    }
  })
  await expect(writing).rejects.toThrow('the disk is full')
})

test('a backup that was cut off over an hour ago is removed, and files of other programs stay', async () => {
  const folder = aTempFolder()
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
  for (const name of ['etalage-oud.tar.age.x.partial', 'film.mkv.partial', 'etalage-nu.tar.age.y.partial']) {
    writeFileSync(join(folder, name), '')
    if (name !== 'etalage-nu.tar.age.y.partial') utimesSync(join(folder, name), longAgo, longAgo)
  }
  mkdirSync(join(folder, 'etalage-map.partial'))
  await testTarget(folderTarget(folder))
  expect(readdirSync(folder).toSorted()).toEqual([
    'etalage-map.partial',
    'etalage-nu.tar.age.y.partial',
    'film.mkv.partial',
  ])
})

/** Answers an upload in parts, whose numbers and bytes are added to `parts`. @param answer what a part is answered with */
const takingParts =
  (parts: { number: number; bytes: number }[], answer = () => 200): RequestListener =>
  async (request, response) => {
    const { method, url = '' } = request
    let bytes = 0
    for await (const chunk of request) bytes += chunk.length
    const number = Number(new URL(url, 'http://s3').searchParams.get('partNumber'))
    const status = method === 'PUT' ? answer() : 200
    if (method === 'PUT' && status === 200) parts.push({ number, bytes })
    response.writeHead(status, { 'Content-Type': 'application/xml', ETag: '"x"' })
    if (method !== 'POST') response.end()
    else if (url.includes('uploads'))
      response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
    else response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
  }

test('the parts of an upload are equal but for the last: Cloudflare R2 accepts no others', async () => {
  const parts: { number: number; bytes: number }[] = []
  const target = await anS3ThatAnswers(takingParts(parts), undefined, 8 * mebibyte)
  await target.write('groot', Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(3 * mebibyte))))
  expect(parts).toEqual([8, 8, 8, 6].map((size, index) => ({ number: index + 1, bytes: size * mebibyte })))
  parts.length = 0
  await target.write('passend', Readable.from([8, 12].map((size) => Buffer.alloc(size * mebibyte))))
  expect(parts.map(({ bytes }) => bytes / mebibyte)).toEqual([8, 8, 4])
  parts.length = 0
  await target.write('een deel', Readable.from([Buffer.alloc(8 * mebibyte)]))
  await target.write('leeg', Readable.from([]))
  expect(parts).toEqual([8 * mebibyte, 0].map((bytes) => ({ number: 0, bytes })))
})

test('a part of an upload that is refused for the moment is sent again', async () => {
  const parts: { number: number; bytes: number }[] = []
  let requests = 0
  const answer = () => (++requests % 2 === 1 ? 503 : 200)
  const target = await anS3ThatAnswers(takingParts(parts, answer), undefined, 8 * mebibyte)
  await target.write('groot', Readable.from([Buffer.alloc(12 * mebibyte)]))
  expect(parts.map(({ bytes }) => bytes / mebibyte)).toEqual([8, 4])
})

test('an upload that goes on slowly is not given up', async () => {
  const timeoutMs = 10_000
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  let received = 0
  let passes = 0
  const target = await anS3ThatAnswers(
    async (request, response) => {
      for await (const chunk of request) {
        received += chunk.length
        // More than the network buffers, so that something was sent since the last pass.
        if (received < (passes + 1) * 16 * mebibyte) continue
        passes++
        vi.advanceTimersByTime(timeoutMs * 0.9)
      }
      response.end()
    },
    timeoutMs,
    96 * mebibyte,
  )
  await target.write('traag', Readable.from(Array.from({ length: 60 }, () => Buffer.alloc(mebibyte))))
  expect(received).toBe(60 * mebibyte)
  expect(passes).toBe(3)
})

test('a target that is no folder, refuses, stalls or lies is reported in words', async () => {
  const file = join(aTempFolder(), 'bestand')
  writeFileSync(file, '')
  await expect(testTarget(folderTarget(file))).rejects.toThrow(/bestand cannot be written to: EEXIST/)

  let uploads = 0
  const refusing = await anS3ThatAnswers(({ method }, response) => {
    if (method === 'PUT') uploads++
    response.writeHead(403, { 'Content-Type': 'application/xml' })
    response.end('<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No, thank you</Message></Error>')
  })
  await expect(testTarget(refusing)).rejects.toThrow(/\/kluis refused: AccessDenied: No, thank you/)
  expect(uploads, 'a wrong key stays wrong').toBe(1)

  const stalling = await anS3ThatAnswers(() => {}, 200)
  await expect(testTarget(stalling)).rejects.toThrow(/\/kluis did not answer for 0.2 seconds/)

  const lying = await anS3ThatAnswers(({ method, url = '' }, response) => {
    const isBegin = method === 'POST' && url.includes('uploads')
    response.writeHead(method === 'GET' ? 404 : 200, { 'Content-Type': 'application/xml', ETag: '"x"' })
    if (isBegin) response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
    else if (method === 'GET') response.end('<Error><Code>NoSuchKey</Code><Message>None</Message></Error>')
    else response.end(method === 'POST' ? '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' : '')
  })
  await expect(testTarget(lying)).rejects.toThrow(/\/kluis accepted the file, and does not have it/)
})

/** Content that counts what is read of it. It has an end, so that a reader without a limit comes back to the test. */
function aHugeFile(begin: string, endsAt: number) {
  const given = { bytes: 0 }
  const chunk = Buffer.alloc(65_536, 'x')
  const content = async function* () {
    if (begin !== '') yield Buffer.from(begin)
    for (; given.bytes < endsAt; given.bytes += chunk.length) yield chunk
  }
  return { given, content }
}

test.each([
  ['nothing of a backup', ''],
  ['only the first line', 'age-encryption.org/v1\n'],
  ['a last line of the header without an end', 'age-encryption.org/v1\n-> X25519 x\n--- '],
])('of a huge file with %s, only the beginning is read', async (_what, begin) => {
  const { given, content } = aHugeFile(begin, 16 * 1_048_576)
  const reading = readItems({ label: 'vreemd', content: content() }, await generateX25519Identity(), async () => {})
  await expect(reading).rejects.toThrow('vreemd is no backup, or its beginning was altered')
  expect(given.bytes).toBeLessThan(1_048_576)
})

test('a journal or a stored file that is far too large is read only up to its limit', async () => {
  const folder = folderTarget(aTempFolder())
  const large = aHugeFile('', 128 * 1_048_576)
  const withJournal = { ...folder, read: async () => large.content() }
  await expect(readJournalAt(withJournal, await generateX25519Identity(), 'site')).rejects.toThrow(
    /cannot be read: it is larger than a journal can be\./,
  )
  expect(large.given.bytes).toBeLessThan(65 * 1_048_576)

  const grown = aHugeFile('', 16 * 1_048_576)
  const withGrown = { ...folder, read: async () => grown.content() }
  await expect(verifyStored(withGrown, 'klein', { bytes: 4, hash: '0'.repeat(64) })).rejects.toThrow(
    /gives back other bytes than it was given: at least 65536, and not the 4/,
  )
  expect(grown.given.bytes).toBeLessThan(1_048_576)
})

test('a bucket that lists files without end is given up, and a listing can be aborted', async () => {
  let pages = 0
  /** @param tokenOf what the answer says of the next page */
  const endless = (tokenOf: () => string) =>
    anS3ThatAnswers((_request, response) => {
      pages++
      response.writeHead(200, { 'Content-Type': 'application/xml' })
      const next = `<IsTruncated>true</IsTruncated><NextContinuationToken>${tokenOf()}</NextContinuationToken>`
      response.end(`<?xml version="1.0"?><ListBucketResult>${next}</ListBucketResult>`)
    })
  const repeating = await endless(() => 'again')
  await expect(repeating.list('')).rejects.toThrow(/\/kluis lists files without end/)
  expect(pages).toBe(2)

  const stop = new AbortController()
  const continuing = await endless(() => {
    if (pages === 5) stop.abort(new Error('the program stops'))
    return `page-${pages}`
  })
  await expect(continuing.list('', stop.signal)).rejects.toThrow('the program stops')
  expect(pages).toBe(5)
})
