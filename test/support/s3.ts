import S3rver from 's3rver'
import { closeAfterTest } from './close-after-test.ts'
import { aTempFolder } from './databases.ts'

/** Starts a real S3 server with an empty bucket, until the test ends. @returns the setting `STORAGE_URL` for it */
export async function aBucket(): Promise<string> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: aTempFolder(),
    configureBuckets: [{ name: 'uploads', configs: [] }],
  })
  const { port } = await server.run()
  closeAfterTest(() => server.close())
  return `s3://S3RVER:S3RVER@127.0.0.1:${port}/uploads?protocol=http`
}
