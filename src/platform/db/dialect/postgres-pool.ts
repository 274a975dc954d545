import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { markUnavailable } from './unavailable.ts'

export interface PostgresLimits {
  poolSize: number
  /** The timeout of a statement, and of waiting for a connection. */
  timeoutMs: number
  /** For migrations: statements have no timeout. */
  hasNoStatementTimeout?: boolean
}

/**
 * PostgreSQL's codes: the server's or the role's connection limit is reached; the server became read-only by a failover; the role
 * lost a right.
 */
const tooManyConnections = '53300'
const readOnly = '25006'
const noRight = '42501'
const codeOf = (error: unknown) => String((error as { code?: unknown }).code)

/** The server refused a write because its disk is full or failing, or it is read-only, also for this role alone. */
export const isWriteFailure = (error: unknown): boolean => ['53100', '58030', readOnly, noRight].includes(codeOf(error))

/**
 * PostgreSQL is unreachable or unusable at the moment: by its codes for connections, refused logins, a missing database,
 * resources, shutdown and statement timeouts; by system codes for network failures; by the messages of `pg`, which has no
 * codes.
 */
const isUnavailable = (error: unknown): boolean =>
  isWriteFailure(error) ||
  /^(08...|28...|3D000|53...|57P0.|57014|25P03|55P03)$/.test(codeOf(error)) ||
  /^E(CONN\w+|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)$|^EAI_AGAIN$/.test(codeOf(error)) ||
  (error instanceof Error &&
    /^(Query read timeout|timeout exceeded|timeout expired|Connection terminated|Client has encountered a connection error)/.test(
      error.message,
    ))

const marked = (error: unknown): unknown => (isUnavailable(error) ? markUnavailable(error) : error)

/** PgBouncer knows no startup parameters but its own, unless it is configured to ignore them. */
const refusesParameters = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter')

const refusedRetryMs = 100
/**
 * A new connection is a process of PostgreSQL that reads the catalog first. So while all are busy, a query first waits this
 * long for one of them, and as long again for each that is opened for another: most queries take a millisecond.
 */
const openAfterMs = 20
/** The message for a query without an answer in time, as `pg` has it. */
const readTimeout = 'Query read timeout'
/** The server cancels a slow statement first, so only a dead connection reaches the client's limit. */
const readMarginMs = 1_000

/**
 * Runs a statement, within a time limit if there is one. The promises and the `query_timeout` of `pg` would keep its rows in
 * memory until the next full garbage collection.
 */
async function runQuery(
  client: PoolClient,
  [text, values]: [string, unknown[]],
  withinMs: number | undefined,
): Promise<QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<QueryResult>()
  const timer = withinMs === undefined ? undefined : setTimeout(() => reject(new Error(readTimeout)), withinMs)
  try {
    client.query(text, values, (error, result) => (error ? reject(error) : resolve(result)))
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A pool of connections that survives a network which drops packets silently: TCP keepalive finds idle connections that
 * died; a query without an answer in time fails, and then every other connection is replaced too.
 * @param limits without them neither statements nor transactions have a timeout
 * @param onError called with each error of the server or of the network
 */
export async function createPostgresPool(
  url: string,
  limits: PostgresLimits | undefined,
  onError: (error: unknown) => void,
): Promise<PostgresPool> {
  const { Pool } = (await import('pg')).default
  const { poolSize = 2, timeoutMs: connectTimeoutMs = 15_000, hasNoStatementTimeout = false } = limits ?? {}

  const readWithinMs = limits && !hasNoStatementTimeout ? limits.timeoutMs + readMarginMs : undefined

  /** Behind PgBouncer the limits of the server are its own; that of the client stays. */
  let sendsLimits = true
  const open = (): Pool => {
    const pool = new Pool({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(limits &&
        sendsLimits && {
          ...(!hasNoStatementTimeout && { statement_timeout: limits.timeoutMs }),
          // Limits how long the locks of a process that vanished during a transaction are held.
          idle_in_transaction_session_timeout: 2 * limits.timeoutMs,
        }),
    })
    // A broken connection is replaced at its next use. Without a listener its error would end the process: the pool
    // emits those of idle connections, each client its own while it is in use.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }

  let pool = open()
  /** Ends each wait for a connection of a pool that is replaced. A promise of the pool's end would keep every wait in memory. */
  const waiting = new Set<() => void>()
  /** Replaces a pool in which a connection died: idle connections are closed, busy ones when their query ends. */
  const replace = (dead: Pool) => {
    if (dead !== pool || dead.ending) return
    pool = open()
    for (const stopWaiting of waiting) stopWaiting()
    waiting.clear()
    void dead.end()
  }

  /** A client of the given pool. Undefined when the pool was replaced meanwhile: try the new one. */
  const clientOf = (from: Pool) =>
    new Promise<PoolClient | undefined>((resolve, reject) => {
      const stopWaiting = () => resolve(undefined)
      waiting.add(stopWaiting)
      from.connect().then(
        (client) => {
          if (waiting.delete(stopWaiting)) resolve(client)
          else client.release()
        },
        (error) => {
          waiting.delete(stopWaiting)
          reject(error)
        },
      )
    })

  const hasFree = () => pool.idleCount > pool.waitingCount
  /** The queries that wait for a free connection, oldest first, with the moment since which none was opened for them. */
  const waitingForFree = new Map<() => void, number>()
  let isTimed = false
  const openLater = (ms: number) => {
    isTimed = true
    setTimeout(openOne, ms)
  }
  /** Resolves when a connection is free, or when another should be opened. */
  const waitForFree = () =>
    new Promise<void>((resolve) => {
      const proceed = () => {
        waitingForFree.delete(proceed)
        resolve()
      }
      waitingForFree.set(proceed, performance.now())
      if (!isTimed) openLater(openAfterMs)
    })
  /** Lets the oldest query open a connection; the others wait anew, for that one too. */
  const openOne = () => {
    isTimed = false
    const now = performance.now()
    const [oldest] = waitingForFree
    if (!oldest) return
    const [proceed, since] = oldest
    const isDue = now - since >= openAfterMs
    if (isDue) {
      proceed()
      // With so many, the pool opens all that it may, and hands out what becomes free; without a connection nothing becomes free.
      const isCrowded = pool.totalCount === 0 || pool.totalCount + waitingForFree.size >= poolSize
      for (const other of waitingForFree.keys()) {
        if (isCrowded) other()
        else waitingForFree.set(other, now)
      }
    }
    if (waitingForFree.size > 0) openLater(isDue ? openAfterMs : since + openAfterMs - now)
  }

  const wrappers = new WeakMap<PoolClient, PostgresPoolClient>()
  const wrap = (client: PoolClient, from: Pool): PostgresPoolClient => {
    const known = wrappers.get(client)
    if (known) return known
    let dead = false
    const wrapper: PostgresPoolClient = {
      query: (async (text: string, values: unknown[]) => {
        // Kysely rolls back after an error: on a dead connection that would wait for as long again.
        if (dead) throw markUnavailable(new Error('Connection terminated: it gave no answer in time'))
        try {
          return await runQuery(client, [text, values], readWithinMs)
        } catch (error) {
          // From here on it names the caller, and not the socket that brought the error.
          if (error instanceof Error) Error.captureStackTrace(error)
          if ((error instanceof Error && error.message === readTimeout) || codeOf(error) === readOnly) {
            dead = true
            replace(from)
          }
          onError(error)
          throw marked(error)
        }
      }) as never,
      release: (discard?: boolean) => {
        client.release(dead || discard)
        const [first] = waitingForFree.keys()
        if (hasFree()) first?.()
      },
    }
    wrappers.set(client, wrapper)
    return wrapper
  }

  return {
    async connect() {
      const giveUpAt = performance.now() + connectTimeoutMs
      if (pool.totalCount > 0 && pool.totalCount < poolSize && !hasFree()) await waitForFree()
      for (;;) {
        const from = pool
        try {
          const client = await clientOf(from)
          if (client) return wrap(client, from)
        } catch (error) {
          if (refusesParameters(error) && limits && (sendsLimits || from !== pool)) {
            sendsLimits = false
            replace(from)
            continue
          }
          // Retries while the server has no room: one of our own connections may become free first.
          if (codeOf(error) !== tooManyConnections || performance.now() > giveUpAt) throw markUnavailable(error)
          await pause(refusedRetryMs)
        }
      }
    },
    end: () => pool.end(),
    options: {},
  }
}
