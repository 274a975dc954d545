import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unescape as percentDecoded } from 'node:querystring'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../contract/errors.ts'
import { lazy } from '../lazy.ts'
import { type Storage, storageKeyParts } from './storage.ts'

export const storageUrlFormat =
  's3://key:secret@host/bucket, with ?region=…, ?protocol=http or ?timeout=seconds (1 to 300) behind it where needed'

const defaultTimeoutSeconds = 10
/** The keys in one page of a listing, which is also the maximum for one delete request. */
const keysPerRequest = 1_000
const retryAfterSeconds = 30

/**
 * Creates a storage that is an S3 bucket. The client is loaded at its first use. The storage counts as unavailable when
 * it accepts or sends nothing for the timeout in the URL.
 * @param url the setting STORAGE_URL
 */
export function s3Storage(url: string): Storage {
  const { bucket, timeoutMs, ...access } = parseStorageUrl(url)
  const s3 = lazy(() => loadS3({ ...access, timeoutMs }))
  const keyOf = (key: string) => ['files', ...storageKeyParts(key)].join('/')

  const read: Storage['read'] = async (key, range) => {
    const { client, GetObjectCommand, NoSuchKey } = await s3()
    try {
      const { Body } = await client.send(
        new GetObjectCommand({
          Bucket: bucket,
          Key: keyOf(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
        { requestTimeout: timeoutMs },
      )
      return failWhenStalled(Body as Readable, timeoutMs)
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw unavailable(error)
    }
  }

  return {
    async put(key, path, type) {
      const { client, PutObjectCommand } = await s3()
      const { size } = await stat(path)
      const stalled = new AbortController()
      const timer = setTimeout(() => stalled.abort(new Error('the storage takes no bytes')), timeoutMs)
      const progress = new Transform({
        transform(chunk, _encoding, done) {
          timer.refresh()
          done(null, chunk)
        },
      })
      // Errors of reading the file reach `send`, because they destroy `progress`.
      const reading = pipeline(createReadStream(path), progress).catch(() => {})
      try {
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: keyOf(key),
            Body: progress,
            ContentLength: size,
            ContentType: type,
          }),
          { abortSignal: stalled.signal },
        )
      } catch (error) {
        throw unavailable(error)
      } finally {
        clearTimeout(timer)
        progress.destroy()
        await reading
      }
      await rm(path, { force: true })
    },
    read,
    async list(blobId) {
      const { client, ListObjectsV2Command } = await s3()
      const folder = keyOf(blobId).slice(0, -blobId.length)
      const keys: string[] = []
      let continuationToken: string | undefined
      do {
        const page = await client
          .send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: `${keyOf(blobId)}/`,
              ContinuationToken: continuationToken,
            }),
            {
              requestTimeout: timeoutMs,
            },
          )
          .catch((error) => {
            throw unavailable(error)
          })
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key.slice(folder.length))
        continuationToken = page.NextContinuationToken
      } while (continuationToken !== undefined)
      return keys.sort()
    },
    async localFile(key, folder) {
      const path = join(folder, 'copy')
      const stored = await read(key)
      if (!stored) throw new Error(`nothing is stored as ${key}`)
      await pipeline(stored, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return path
    },
    async remove(blobId) {
      const { client, ListObjectsV2Command, DeleteObjectsCommand } = await s3()
      const options = { requestTimeout: timeoutMs }
      for (;;) {
        const { Contents = [] } = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: `${keyOf(blobId)}/`, MaxKeys: keysPerRequest }),
          options,
        )
        const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]))
        if (Objects.length === 0) return
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
          options,
        )
        if (Errors.length > 0) throw new Error(`${Errors.length} objects were not removed: ${Errors[0]?.Code}`)
      }
    },
    async close() {
      ;(await s3.ifCreated())?.client.destroy()
    },
  }
}

/** An S3 server with credentials. */
interface S3Connection {
  /** An origin, such as `https://s3.example.nl`. */
  endpoint: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  timeoutMs: number
}

/** Loads the S3 SDK, and creates a client. */
export async function loadS3(access: S3Connection) {
  const { endpoint, region, credentials, timeoutMs } = access
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    endpoint,
    region,
    credentials,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: timeoutMs, throwOnRequestTimeout: true },
    // The bucket is part of the path, which every S3-compatible server supports.
    forcePathStyle: true,
    // Older S3-compatible servers do not support checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { ...sdk, client }
}

function unavailable(error: unknown): Refusal {
  const refusal = new Refusal('storage_unavailable', { retryAfter: retryAfterSeconds })
  refusal.cause = error
  return refusal
}

/**
 * Returns the body, which fails when the storage sends nothing for `timeoutMs`. Time in which the reader is slow does
 * not count.
 */
function failWhenStalled(body: Readable, timeoutMs: number): Readable {
  const chunks = async function* () {
    const iterator = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const timer = setTimeout(() => body.destroy(new Error('the storage sends no bytes')), timeoutMs)
        const { done, value } = await iterator.next().finally(() => clearTimeout(timer))
        if (done) return
        yield value
      }
    } finally {
      body.destroy()
    }
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: 64 * 1_024 })
}

/** Parses the setting STORAGE_URL; see `storageUrlFormat`. @throws {TypeError} when a part is missing or invalid */
export function parseStorageUrl(text: string): S3Connection & { bucket: string } {
  const url = new URL(text)
  const bucket = url.pathname.replace(/^\/|\/$/g, '')
  const protocol = url.searchParams.get('protocol') ?? 'https'
  const seconds = Number(url.searchParams.get('timeout') ?? defaultTimeoutSeconds)
  const isComplete = url.protocol === 's3:' && url.host && url.username && url.password && /^[\w.-]+$/.test(bucket)
  const areOptionsValid = /^https?$/.test(protocol) && seconds >= 1 && seconds <= 300
  if (!isComplete || !areOptionsValid) throw new TypeError('not the URL of a storage')
  return {
    endpoint: `${protocol}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket,
    credentials: {
      accessKeyId: percentDecoded(url.username),
      secretAccessKey: percentDecoded(url.password),
    },
    timeoutMs: seconds * 1_000,
  }
}
