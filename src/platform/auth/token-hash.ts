import { createHash } from 'node:crypto'

/** What is kept of a token: whoever reads the database can open nothing with it. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url')
