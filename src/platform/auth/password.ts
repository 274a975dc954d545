import { AsyncLocalStorage } from 'node:async_hooks'
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Refusal } from '../../contract/errors.ts'
import { createTaskLimit } from '../task-limit.ts'

/**
 * Argon2id with OWASP's parameters: 19 MiB, two passes. Node computes it off the main thread. Only tests change them, because
 * most of their processor time would be hashing.
 */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Node's thread pool has four threads, also for files and compression; hashing takes two of them at most, and 38 MiB. */
const concurrency = 2
/** In each queue, that of known browsers and that of the others. About two seconds of work; more are refused as unavailable. */
const maxWaiting = 100
const busySeconds = 10

/** @returns `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, the PHC string format */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive({ message: bytesOf(password), nonce, ...passwordCost })
  const { memory, passes, parallelism } = passwordCost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash)
  if (!found) return false
  const [, memory, passes, parallelism, nonce, hash64] = found
  const tag = Buffer.from(hash64 as string, 'base64')
  const made = await derive({
    message: bytesOf(password),
    nonce: Buffer.from(nonce as string, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: tag.length,
  })
  return timingSafeEqual(tag, made)
}

const compute = promisify(argon2)
const runLimited = createTaskLimit({
  atOnce: concurrency,
  waiting: maxWaiting,
  full: () => new Refusal('unavailable', { retryAfter: busySeconds }),
})
const known = new AsyncLocalStorage<true>()

/** Hashes computed in `work`, for known browsers, are served first: a flood from other clients must not delay them. */
export const withHashPriority = <T>(work: () => Promise<T>): Promise<T> => known.run(true, work)

/** @throws {Refusal} `unavailable` when the queue is full */
const derive = (parameters: Parameters<typeof argon2>[1]): Promise<Buffer> =>
  runLimited(() => compute('argon2id', parameters), known.getStore() ? 'first' : 'later')

/** Normalised (NFKC), because keyboards encode the same characters differently. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** The build copies the list beside the server. */
const listFile = () =>
  import.meta.filename.endsWith('.ts')
    ? createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
    : join(import.meta.dirname, 'common-passwords.json')

/**
 * Whether a password is one of the 49,000 most common ones, ignoring case. The list is read each time: passwords are
 * chosen rarely, and the list takes half a megabyte.
 */
export function isCommonPassword(password: string): boolean {
  const list = readFileSync(listFile(), 'utf8')
  return list.includes(JSON.stringify(password.normalize('NFKC').toLowerCase()))
}
