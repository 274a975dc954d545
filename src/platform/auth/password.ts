import { AsyncLocalStorage } from 'node:async_hooks'
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Refusal } from '../../contract/errors.ts'
import { createTaskLimit } from '../task-limit.ts'

/**
 * The parameters of Argon2id, by OWASP: 19 MiB, two passes. Node computes it off the main thread. Tests lower them,
 * because hashing would otherwise take most of their processor time.
 */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Hashing takes at most two of the four threads of Node's pool, which files and compression use too, and 38 MiB. */
const maxConcurrentHashes = 2
/** The length of each of the two queues, for known browsers and for others: about two seconds of work. */
const maxWaiting = 100
const retryAfterSeconds = 10

/** @returns the hash in the PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash` */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await computeHash({ message: bytesOf(password), nonce, ...passwordCost })
  const { memory, passes, parallelism } = passwordCost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash)
  if (!match) return false
  const [, memory, passes, parallelism, nonce, hash64] = match
  const expectedTag = Buffer.from(hash64 as string, 'base64')
  const actualTag = await computeHash({
    message: bytesOf(password),
    nonce: Buffer.from(nonce as string, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expectedTag.length,
  })
  return timingSafeEqual(expectedTag, actualTag)
}

const argon2Async = promisify(argon2)
const runLimited = createTaskLimit({
  atOnce: maxConcurrentHashes,
  waiting: maxWaiting,
  full: () => new Refusal('unavailable', { retryAfter: retryAfterSeconds }),
})
const hasPriority = new AsyncLocalStorage<true>()

/** Runs `work`, whose hashes are computed first: a flood from other clients must not delay users of known browsers. */
export const withHashPriority = <T>(work: () => Promise<T>): Promise<T> => hasPriority.run(true, work)

/** @throws {Refusal} `unavailable` when the queue is full */
const computeHash = (parameters: Parameters<typeof argon2>[1]): Promise<Buffer> =>
  runLimited(() => argon2Async('argon2id', parameters), hasPriority.getStore() ? 'first' : 'later')

/** Normalised (NFKC), because keyboards encode the same characters differently. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** The path of the list of common passwords, which the build copies next to the server. */
const listFile = () =>
  import.meta.filename.endsWith('.ts')
    ? createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
    : join(import.meta.dirname, 'common-passwords.json')

/**
 * Whether a password is one of the 49,000 most common ones, ignoring case. The list is read each time, because it takes
 * half a megabyte and is rarely needed.
 */
export function isCommonPassword(password: string): boolean {
  const list = readFileSync(listFile(), 'utf8')
  return list.includes(JSON.stringify(password.normalize('NFKC').toLowerCase()))
}
