import { hash } from 'node:crypto'

/** The stored form of a token; it cannot be used as one. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url')
