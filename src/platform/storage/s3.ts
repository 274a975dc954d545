import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { partsOf } from './key.ts'
import { readStorageUrl } from './s3-url.ts'
import type { Storage } from './storage.ts'

/** A page of keys, which is also what one call removes. */
const keysAtOnce = 1_000

/** Uploads in a bucket. The client is loaded when it is first needed. @param folder for files on their way to a program */
export function s3Storage(url: string, folder: string): Storage {
  const { bucket, ...access } = readStorageUrl(url)
  let loading: ReturnType<typeof load> | undefined
  const s3 = () => {
    loading ??= load(access)
    return loading
  }
  const keyOf = (key: string) => ['files', ...partsOf(key)].join('/')

  const read: Storage['read'] = async (key, range) => {
    const { client, GetObjectCommand, NoSuchKey } = await s3()
    try {
      const { Body } = await client.send(
        new GetObjectCommand({
          Bucket: bucket,
          Key: keyOf(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      )
      return Body as Readable
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw error
    }
  }

  return {
    kind: 's3',
    async put(key, path, type) {
      const { client, PutObjectCommand } = await s3()
      const { size } = await stat(path)
      const body = createReadStream(path)
      try {
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: keyOf(key),
            Body: body,
            ContentLength: size,
            ContentType: type,
          }),
        )
      } finally {
        body.destroy()
      }
      await rm(path, { force: true })
    },
    read,
    async withFile(key, work) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${process.pid}-${randomUUID()}`)
      try {
        const stored = await read(key)
        if (!stored) throw new Error(`nothing is stored as ${key}`)
        await pipeline(stored, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
        return await work(path)
      } finally {
        await rm(path, { force: true })
      }
    },
    async remove(prefix) {
      const { client, ListObjectsV2Command, DeleteObjectsCommand } = await s3()
      for (;;) {
        const { Contents = [] } = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: `${keyOf(prefix)}/`, MaxKeys: keysAtOnce }),
        )
        const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]))
        if (Objects.length === 0) return
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        )
        if (Errors.length > 0) throw new Error(`${Errors.length} objects were not removed: ${Errors[0]?.Code}`)
      }
    },
    async close() {
      if (loading) (await loading).client.destroy()
    },
  }
}

async function load({ endpoint, region, credentials }: Omit<ReturnType<typeof readStorageUrl>, 'bucket'>) {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    endpoint,
    region,
    credentials,
    // The bucket stands in the path, which every peer understands.
    forcePathStyle: true,
    // Checksums in trailers are younger than most S3-compatible storage.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { ...sdk, client }
}
