/** The used part of `s3rver`, which has no types. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      port: number
      address: string
      silent: boolean
      directory: string
      configureBuckets?: { name: string; configs: string[] }[]
    })
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}

declare module 's3rver/lib/models/account.js' {
  /** The account that every request is from. */
  export const DUMMY_ACCOUNT: { createKeyPair(key: string, secret: string): void }
}
