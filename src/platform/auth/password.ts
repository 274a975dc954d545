import { AsyncLocalStorage } from 'node:async_hooks'
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../contract/errors.ts'

/** Argon2id as OWASP advises it: 19 MiB, two passes; Node makes it off the main thread. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Node has four threads for this, for files and for packing; hashes take two of them at most, and 38 MiB. */
const atOnce = 2
/** About two seconds of work; who comes then is asked to come again. */
const mostWaiting = 100
const busySeconds = 10

/** @returns `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, as every library writes it */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive({ message: bytesOf(password), nonce, ...cost })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash)
  if (!found) return false
  const [, memory, passes, parallelism, nonce, kept] = found
  const tag = Buffer.from(kept as string, 'base64')
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
const waiting: (() => void)[] = []
/** Those of browsers in which the owner of the name signed in before: a crowd of strangers does not keep them out. */
const waitingKnown: (() => void)[] = []
const known = new AsyncLocalStorage<true>()

/** Hashes in `work` go before those of strangers, and have a queue of their own. */
export const beforeStrangers = <T>(work: () => Promise<T>): Promise<T> => known.run(true, work)

let running = 0

/** @throws {Refusal} `unavailable` when more wait than can be served in a few seconds */
async function derive(parameters: Parameters<typeof argon2>[1]): Promise<Buffer> {
  if (running >= atOnce) {
    const queue = known.getStore() ? waitingKnown : waiting
    if (queue.length >= mostWaiting) throw new Refusal('unavailable', { retryAfter: busySeconds })
    // Whoever is done hands its turn over, so `running` stays as it is.
    await new Promise<void>((resolve) => queue.push(resolve))
  } else running++
  try {
    return await compute('argon2id', parameters)
  } finally {
    const next = waitingKnown.shift() ?? waiting.shift()
    if (next) next()
    else running--
  }
}

/** The same letters typed on another keyboard are the same password. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
