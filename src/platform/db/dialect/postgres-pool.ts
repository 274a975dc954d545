import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { markUnavailable } from './unavailable.ts'

export interface PostgresLimits {
  poolSize: number
  /** The timeout of a statement, and of waiting for a connection. */
  timeoutMs: number
  /** True for migrations: statements have no timeout. */
  hasNoStatementTimeout?: boolean
}

/** PostgreSQL's error codes. `tooManyConnections`: the connection limit of the server or the role is reached. */
const tooManyConnections = '53300'
const readOnlyTransaction = '25006'
const insufficientPrivilege = '42501'
const diskFull = '53100'
const ioError = '58030'
const codeOf = (error: unknown) => String((error as { code?: unknown }).code)

/** Whether the server refused a write: its disk is full or failing, or it is read-only, for all or for this role. */
export const isWriteFailure = (error: unknown): boolean =>
  [diskFull, ioError, readOnlyTransaction, insufficientPrivilege].includes(codeOf(error))

/**
 * Whether PostgreSQL is unreachable or unusable at the moment. Recognised by its codes for connections, refused logins,
 * a missing database, resources, shutdown and statement timeouts; by system codes for network failures; and by the
 * messages of `pg`, which has no codes.
 */
const isUnavailable = (error: unknown): boolean =>
  isWriteFailure(error) ||
  /^(08...|28...|3D000|53...|57P0.|57014|25P03|55P03)$/.test(codeOf(error)) ||
  /^E(CONN\w+|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)$|^EAI_AGAIN$/.test(codeOf(error)) ||
  (error instanceof Error &&
    /^(Query read timeout|timeout exceeded|timeout expired|Connection terminated|Client has encountered a connection error)/.test(
      error.message,
    ))

const markIfUnavailable = (error: unknown): unknown => (isUnavailable(error) ? markUnavailable(error) : error)

/** Whether PgBouncer refused the timeouts, which are startup parameters that it does not know. */
const isRefusedParameter = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter')

const refusedRetryMs = 100
/**
 * How long a query waits for a busy connection before another is opened for it; only one is opened in this time. Each
 * is a process of PostgreSQL that reads the catalog first, while most queries take a millisecond.
 */
const openAfterMs = 20
/** The message of `pg` for a query that is not answered in time. */
const readTimeoutMessage = 'Query read timeout'
/** Added to the timeout of the server, so that the client only gives up a dead connection, not a slow statement. */
const readMarginMs = 1_000

/**
 * Runs a statement, within a time limit if there is one. With the promises and the `query_timeout` of `pg`, its rows
 * would stay in memory until the next full garbage collection.
 */
async function runQuery(
  client: PoolClient,
  [text, values]: [string, unknown[]],
  withinMs: number | undefined,
): Promise<QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<QueryResult>()
  const timer = withinMs === undefined ? undefined : setTimeout(() => reject(new Error(readTimeoutMessage)), withinMs)
  try {
    client.query(text, values, (error, result) => (error ? reject(error) : resolve(result)))
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Creates a pool of connections that survives a network which silently drops packets: TCP keepalive detects dead idle
 * connections; when a query is not answered in time, it fails and all connections are replaced.
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

  /** False behind PgBouncer, whose timeouts then apply on the server; the time limit of the client stays. */
  let sendsTimeouts = true
  const createPool = (): Pool => {
    const pool = new Pool({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(limits &&
        sendsTimeouts && {
          ...(!hasNoStatementTimeout && { statement_timeout: limits.timeoutMs }),
          // Limits how long the locks of a process that vanished during a transaction are held.
          idle_in_transaction_session_timeout: 2 * limits.timeoutMs,
        }),
    })
    // A broken connection is replaced at its next use. Without listeners its error would end the process: the pool
    // emits the errors of idle connections, and a client its own while it is in use.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }

  let pool = createPool()
  /** Stops each wait for a connection of a replaced pool. A promise of its end would keep every wait in memory. */
  const connecting = new Set<() => void>()
  /** Replaces a pool, unless it was replaced already. Busy connections are closed when their query ends. */
  const replacePool = (oldPool: Pool) => {
    if (oldPool !== pool || oldPool.ending) return
    pool = createPool()
    for (const stopWaiting of connecting) stopWaiting()
    connecting.clear()
    void oldPool.end()
  }

  /** Connects a client of a pool. Undefined when the pool was replaced meanwhile: try the new one. */
  const connectTo = (currentPool: Pool) =>
    new Promise<PoolClient | undefined>((resolve, reject) => {
      const stopWaiting = () => resolve(undefined)
      connecting.add(stopWaiting)
      currentPool.connect().then(
        (client) => {
          if (connecting.delete(stopWaiting)) resolve(client)
          else client.release()
        },
        (error) => {
          connecting.delete(stopWaiting)
          reject(error)
        },
      )
    })

  const hasIdle = () => pool.idleCount > pool.waitingCount
  /** The start of the current wait of each query for a free connection, by the function that lets it proceed. */
  const waiting = new Map<() => void, number>()
  let isTimerSet = false
  const setTimer = (ms: number) => {
    isTimerSet = true
    setTimeout(openForOldest, ms)
  }
  /** Resolves when a connection is free, or when another should be opened. */
  const waitForIdle = () =>
    new Promise<void>((resolve) => {
      const proceed = () => {
        waiting.delete(proceed)
        resolve()
      }
      waiting.set(proceed, performance.now())
      if (!isTimerSet) setTimer(openAfterMs)
    })
  /** Lets the oldest query open a connection if its wait is over; then the wait of the others begins again. */
  const openForOldest = () => {
    isTimerSet = false
    const now = performance.now()
    const [oldest] = waiting
    if (!oldest) return
    const [proceed, waitStart] = oldest
    const isDue = now - waitStart >= openAfterMs
    if (isDue) {
      proceed()
      // All proceed when the pool would open its maximum anyway, and when it has no connection that could become free.
      const letAllProceed = pool.totalCount === 0 || pool.totalCount + waiting.size >= poolSize
      for (const proceedOther of waiting.keys()) {
        if (letAllProceed) proceedOther()
        else waiting.set(proceedOther, now)
      }
    }
    if (waiting.size > 0) setTimer(isDue ? openAfterMs : waitStart + openAfterMs - now)
  }

  const wrappers = new WeakMap<PoolClient, PostgresPoolClient>()
  const wrap = (client: PoolClient, owner: Pool): PostgresPoolClient => {
    const existing = wrappers.get(client)
    if (existing) return existing
    let isDead = false
    const wrapper: PostgresPoolClient = {
      query: (async (text: string, values: unknown[]) => {
        // Kysely rolls back after an error: on a dead connection that would wait until the time limit again.
        if (isDead) throw markUnavailable(new Error('Connection terminated: it gave no answer in time'))
        try {
          return await runQuery(client, [text, values], readWithinMs)
        } catch (error) {
          // The stack then names the caller instead of the socket.
          if (error instanceof Error) Error.captureStackTrace(error)
          const isTimeout = error instanceof Error && error.message === readTimeoutMessage
          if (isTimeout || codeOf(error) === readOnlyTransaction) {
            isDead = true
            replacePool(owner)
          }
          onError(error)
          throw markIfUnavailable(error)
        }
      }) as never,
      release: (discard?: boolean) => {
        client.release(isDead || discard)
        const [proceed] = waiting.keys()
        if (hasIdle()) proceed?.()
      },
    }
    wrappers.set(client, wrapper)
    return wrapper
  }

  return {
    async connect() {
      const giveUpAt = performance.now() + connectTimeoutMs
      if (pool.totalCount > 0 && pool.totalCount < poolSize && !hasIdle()) await waitForIdle()
      for (;;) {
        const currentPool = pool
        try {
          const client = await connectTo(currentPool)
          if (client) return wrap(client, currentPool)
        } catch (error) {
          if (isRefusedParameter(error) && limits && (sendsTimeouts || currentPool !== pool)) {
            sendsTimeouts = false
            replacePool(currentPool)
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
