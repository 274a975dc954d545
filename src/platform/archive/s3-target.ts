import type { Readable } from 'node:stream'
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

/** A bucket of an S3 server. */
export interface S3Access {
  /** `https://s3.example.nl` */
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
 * The size of an upload part, which is held in memory. S3 allows 10,000 parts, so later ones are larger, up to 128 MiB.
 * @param part counted from 0
 */
const partBytes = (part: number) => 8 * mebibyte * 2 ** Math.min(Math.floor(part / 1_000), 4)

/** Of a listing, with a thousand files each. */
const pagesAtMost = 1_000

/** A bucket as target. A file larger than a part is uploaded in parts, and becomes visible when the upload is completed. */
export function s3Target(access: S3Access, timeoutMs = stallMs): BackupTarget {
  const { endpoint, region, bucket: Bucket, prefix, accessKeyId, secretAccessKey } = access
  const label = s3Label(access)
  let loading: ReturnType<typeof loadS3> | undefined
  const s3 = () => {
    loading ??= loadS3({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, timeoutMs })
    return loading
  }
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`)
  const within = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) })
  const asked = <T>(work: () => Promise<T>): Promise<T> =>
    withStallTimeout(label, timeoutMs, work).catch((error) => {
      throw failureOf(label, error)
    })

  return {
    label,
    async write(name, content) {
      const { client, ...sdk } = await s3()
      const Key = keyOf(name)
      let UploadId: string | undefined
      try {
        const Parts: { ETag: string | undefined; PartNumber: number }[] = []
        for await (const { Body, isAll } of inParts(content)) {
          if (isAll) {
            await asked(() => client.send(new sdk.PutObjectCommand({ Bucket, Key, Body }), within()))
            return
          }
          UploadId ??= await asked(async () => {
            const upload = new sdk.CreateMultipartUploadCommand({
              Bucket,
              Key,
              ContentType: 'application/octet-stream',
            })
            return (await client.send(upload, within())).UploadId
          })
          const PartNumber = Parts.length + 1
          const { ETag } = await asked(() =>
            client.send(new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }), within()),
          )
          Parts.push({ ETag, PartNumber })
        }
        await asked(() =>
          client.send(
            new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
            within(),
          ),
        )
      } catch (error) {
        // Parts that remain in the bucket cost money.
        if (UploadId !== undefined) {
          await asked(() =>
            client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), within()),
          ).catch(() => {})
        }
        throw error
      }
    },
    async read(name) {
      const { client, GetObjectCommand, NoSuchKey } = await s3()
      const found = await asked(() =>
        client
          .send(new GetObjectCommand({ Bucket, Key: keyOf(name) }), { requestTimeout: timeoutMs })
          .catch((error) => {
            if (error instanceof NoSuchKey) return undefined
            throw error
          }),
      )
      return found && readWithStallTimeout(label, timeoutMs, found.Body as Readable)
    },
    async list(folder, signal) {
      const { client, ListObjectsV2Command } = await s3()
      const parent = keyOf(folder === '' ? '' : `${folder}/`)
      const Prefix = folder === '' ? `${parent}${ownPrefix}` : parent
      const found: TargetFile[] = []
      const tokens = new Set<string>()
      let ContinuationToken: string | undefined
      do {
        signal?.throwIfAborted()
        const page = await asked(() =>
          client.send(new ListObjectsV2Command({ Bucket, Prefix, Delimiter: '/', ContinuationToken }), within()),
        )
        for (const { Key = '', Size = 0, LastModified: at = new Date() } of page.Contents ?? []) {
          if (Key !== Prefix) found.push({ name: Key.slice(parent.length), bytes: Size, at })
        }
        ContinuationToken = page.NextContinuationToken
        if (ContinuationToken === undefined) continue
        if (tokens.has(ContinuationToken) || tokens.size >= pagesAtMost) {
          throw new TargetFailure({ key: 'targetEndless', target: label })
        }
        tokens.add(ContinuationToken)
      } while (ContinuationToken !== undefined)
      return found
    },
    async rename(from, to) {
      const { client, CopyObjectCommand } = await s3()
      const CopySource = `${Bucket}/${keyOf(from)}`
      await asked(() => client.send(new CopyObjectCommand({ Bucket, Key: keyOf(to), CopySource }), within()))
      await this.remove(from)
    },
    async remove(name) {
      const { client, DeleteObjectCommand } = await s3()
      await asked(() => client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }), within()))
    },
    close() {
      void loading?.then(({ client }) => client.destroy())
    },
  }
}

function failureOf(label: string, error: Error): TargetFailure {
  if (error instanceof TargetFailure) return error
  const { name, message } = error
  const detail = message && message !== name ? `${name}: ${message}` : name
  return new TargetFailure({ key: 'targetRefused', target: label, detail }, error)
}

/** Splits content into parts; smaller or empty content is a single part. */
async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<{ Body: Buffer; isAll: boolean }> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let part = 0
  for await (const chunk of content) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes(part)) continue
    yield { Body: Buffer.concat(waiting), isAll: false }
    part++
    waiting = []
    bytes = 0
  }
  if (bytes > 0 || part === 0) yield { Body: Buffer.concat(waiting), isAll: part === 0 }
}
