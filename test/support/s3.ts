import S3rver from 's3rver'
import { closeAtEnd } from './closing.ts'
import { aFolder } from './databases.ts'

/** A real S3 peer with an empty bucket. @returns the setting `STORAGE_URL` for it */
export async function aBucket(): Promise<string> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: aFolder(),
    configureBuckets: [{ name: 'uploads', configs: [] }],
  })
  const { port } = await server.run()
  closeAtEnd(() => server.close())
  return `s3://S3RVER:S3RVER@127.0.0.1:${port}/uploads?protocol=http`
}
