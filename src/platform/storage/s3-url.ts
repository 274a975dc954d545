import { unescape as percentDecoded } from 'node:querystring'

export const storageUrlWanted = 's3://key:secret@host/bucket, with ?region=… or ?protocol=http behind it where needed'

/**
 * What `STORAGE_URL` says.
 * @throws {TypeError} where a part is missing
 */
export function readStorageUrl(text: string): {
  endpoint: string
  region: string
  bucket: string
  credentials: { accessKeyId: string; secretAccessKey: string }
} {
  const url = new URL(text)
  const bucket = url.pathname.replace(/^\/|\/$/g, '')
  const protocol = url.searchParams.get('protocol') ?? 'https'
  const complete = url.protocol === 's3:' && url.host && url.username && url.password && /^[\w.-]+$/.test(bucket)
  if (!complete || !/^https?$/.test(protocol)) throw new TypeError('not the address of a storage')
  return {
    endpoint: `${protocol}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket,
    credentials: {
      accessKeyId: percentDecoded(url.username),
      secretAccessKey: percentDecoded(url.password),
    },
  }
}
