import { hash } from 'node:crypto'

/** The stored form of a token, which cannot be used as a token. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url')
