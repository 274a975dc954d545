import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { lazy } from '../lazy.ts'
import { loadS3 } from '../storage/s3.ts'
import {
  type BackupTarget,
  ownPrefix,
  readWithStallTimeout,
  s3Label,
  stallMs,
  TargetFailure,
  type TargetFile,
  withStallTimeout,
} from './backup-target.ts'

/** A bucket of an S3 server, with credentials. */
interface S3Access {
  /** An origin, such as `https://s3.example.nl`. */
  endpoint: string
  region: string
  bucket: string
  /** A folder in the bucket; empty for none. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

const mebibyte = 1_048_576

/**
 * The size of an upload part, which is held in memory. All parts but the last are equally large, as Cloudflare R2 and
 * Garage require. S3 allows 10,000 parts, so a file may have 312 GiB; scheduled backups store each blob in a file of
 * its own.
 */
const uploadPartBytes = 32 * mebibyte

const uploadRetryMs = 1_000

/** A listing with more pages, of a thousand files each, is taken for endless. */
const maxListingPages = 1_000

/**
 * Creates a target that is a bucket. A file larger than a part is uploaded in parts, and appears when the upload is
 * completed.
 */
export function s3Target(access: S3Access, timeoutMs = stallMs, partBytes = uploadPartBytes): BackupTarget {
  const { endpoint, region, bucket: Bucket, prefix, accessKeyId, secretAccessKey } = access
  const label = s3Label(access)
  const s3 = lazy(() => loadS3({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, timeoutMs }))
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`)
  const requestOptions = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) })
  const request = <T>(work: () => Promise<T>): Promise<T> =>
    withStallTimeout(label, timeoutMs, work).catch((error) => {
      throw toTargetFailure(label, error)
    })
  // Sends a body; the timeout starts again whenever the server accepts a chunk.
  const upload = async <T>(
    chunks: readonly Uint8Array[],
    send: (Body: Readable, options: { abortSignal: AbortSignal }) => Promise<T>,
    attempts = 2,
  ): Promise<T> => {
    const ended = new AbortController()
    try {
      return await withStallTimeout(label, timeoutMs, (progress) => {
        const Body = Readable.from(progress<Uint8Array>(Readable.from(chunks)), { objectMode: false })
        return send(Body, { abortSignal: ended.signal })
      })
    } catch (error) {
      // The SDK does not retry a request whose body is a stream.
      if (attempts === 1 || !isRetryable(error as Error)) throw toTargetFailure(label, error as Error)
      await pause(uploadRetryMs)
      return upload(chunks, send, attempts - 1)
    } finally {
      ended.abort()
    }
  }

  return {
    label,
    async write(name, content) {
      const { client, ...sdk } = await s3()
      const Key = keyOf(name)
      let UploadId: string | undefined
      try {
        const Parts: { ETag: string | undefined; PartNumber: number }[] = []
        for await (const { chunks, bytes: ContentLength, isWhole } of splitIntoParts(content, partBytes)) {
          if (isWhole) {
            await upload(chunks, (Body, options) =>
              client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentLength }), options),
            )
            return
          }
          UploadId ??= await request(async () => {
            const command = new sdk.CreateMultipartUploadCommand({
              Bucket,
              Key,
              ContentType: 'application/octet-stream',
            })
            return (await client.send(command, requestOptions())).UploadId
          })
          const PartNumber = Parts.length + 1
          const part = { Bucket, Key, UploadId, PartNumber, ContentLength }
          const { ETag } = await upload(chunks, (Body, options) =>
            client.send(new sdk.UploadPartCommand({ ...part, Body }), options),
          )
          Parts.push({ ETag, PartNumber })
        }
        await request(() =>
          client.send(
            new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
            requestOptions(),
          ),
        )
      } catch (error) {
        // Without this, the uploaded parts would stay in the bucket and cost money.
        if (UploadId !== undefined) {
          await request(() =>
            client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), requestOptions()),
          ).catch(() => {})
        }
        throw error
      }
    },
    async read(name) {
      const { client, GetObjectCommand, NoSuchKey } = await s3()
      const response = await request(() =>
        client
          .send(new GetObjectCommand({ Bucket, Key: keyOf(name) }), { requestTimeout: timeoutMs })
          .catch((error) => {
            if (error instanceof NoSuchKey) return undefined
            throw error
          }),
      )
      return response && readWithStallTimeout(label, timeoutMs, response.Body as Readable)
    },
    async list(folder, signal) {
      const { client, ListObjectsV2Command } = await s3()
      const parent = keyOf(folder === '' ? '' : `${folder}/`)
      const Prefix = folder === '' ? `${parent}${ownPrefix}` : parent
      const files: TargetFile[] = []
      const tokens = new Set<string>()
      let ContinuationToken: string | undefined
      do {
        signal?.throwIfAborted()
        const page = await request(() =>
          client.send(
            new ListObjectsV2Command({ Bucket, Prefix, Delimiter: '/', ContinuationToken }),
            requestOptions(),
          ),
        )
        for (const { Key = '', Size = 0, LastModified: at = new Date() } of page.Contents ?? []) {
          if (Key !== Prefix) files.push({ name: Key.slice(parent.length), bytes: Size, at })
        }
        ContinuationToken = page.NextContinuationToken
        if (ContinuationToken === undefined) continue
        if (tokens.has(ContinuationToken) || tokens.size >= maxListingPages) {
          throw new TargetFailure({ key: 'targetEndless', target: label })
        }
        tokens.add(ContinuationToken)
      } while (ContinuationToken !== undefined)
      return files
    },
    async rename(from, to) {
      const { client, CopyObjectCommand } = await s3()
      const CopySource = `${Bucket}/${keyOf(from)}`
      await request(() => client.send(new CopyObjectCommand({ Bucket, Key: keyOf(to), CopySource }), requestOptions()))
      await this.remove(from)
    },
    async remove(name) {
      const { client, DeleteObjectCommand } = await s3()
      await request(() => client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }), requestOptions()))
    },
    close() {
      void s3.ifCreated().then((loaded) => loaded?.client.destroy())
    },
  }
}

/** By the rules of the SDK for requests that it retries itself. */
function isRetryable(
  error: Error & { $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean } },
): boolean {
  if (error instanceof TargetFailure) return false
  const { httpStatusCode: status = 503, clockSkewCorrected = false } = error.$metadata ?? {}
  return status >= 500 || status === 429 || clockSkewCorrected || error.name === 'RequestTimeout'
}

function toTargetFailure(label: string, error: Error): TargetFailure {
  if (error instanceof TargetFailure) return error
  const { name, message } = error
  const detail = message && message !== name ? `${name}: ${message}` : name
  return new TargetFailure({ key: 'targetRefused', target: label, detail }, error)
}

/** Splits content into parts of `partBytes` and a last one, which is not larger. `isWhole`: the only part has all content. */
async function* splitIntoParts(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<{ chunks: Uint8Array[]; bytes: number; isWhole: boolean }> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  let isWhole = true
  for await (let rest of content) {
    while (bytes + rest.length > partBytes) {
      const fullPart = [...chunks, rest.subarray(0, partBytes - bytes)]
      rest = rest.subarray(partBytes - bytes)
      chunks = []
      bytes = 0
      isWhole = false
      yield { chunks: fullPart, bytes: partBytes, isWhole }
    }
    chunks.push(rest)
    bytes += rest.length
  }
  yield { chunks, bytes, isWhole }
}
