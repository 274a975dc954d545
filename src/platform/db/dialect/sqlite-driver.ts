import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { foldedText } from '../migrations/folded-text.ts'
import { redactEmails } from '../text-search.ts'
import { markUnavailable } from './unavailable.ts'

/** `immediate` takes the write lock at the start, where waiting for it is possible, and not in the middle. */
const beginTransaction = 'begin immediate'
/** How long a statement waits for another process that holds SQLite's write lock. */
const lockWaitMs = 15_000
const retryEveryMs = 20
/** How often a database with limited access is reopened, and how long reopening may wait for a lock; see `openFile`. */
const reopenEveryMs = 1_000
const reopenWithinMs = 100

/** Primary result codes of SQLite: the low byte of an extended code. */
const resultCodes = { busy: 5, readOnly: 8, ioError: 10, full: 13, cannotOpen: 14 }
const resultCode = (error: unknown) => Number((error as { errcode?: unknown }).errcode) & 0xff

/** Whether another connection to the file is open: SQLite then refuses to leave WAL mode. Opening turns it on again. */
export function isOpenElsewhere(path: string): boolean {
  if (!existsSync(path)) return false
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    database.exec('pragma journal_mode = delete')
    return false
  } catch (error) {
    if (resultCode(error) === resultCodes.busy) return true
    throw asOpeningError(error, path)
  } finally {
    database?.close()
  }
}

/** Whether SQLite refused a write because the disk is full or failing, or the file is read-only. */
export const isWriteFailure = (error: unknown): boolean =>
  [resultCodes.readOnly, resultCodes.ioError, resultCodes.full].includes(resultCode(error))

/** Whether the disk or the user's quota is full; for the database or another file. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (resultCode(error) === resultCodes.full || /^(ENOSPC|EDQUOT)$/.test(String((error as NodeJS.ErrnoException).code)))

/** Whether the database cannot be used at the moment: locked by another process, or its disk is failing or full. */
const isUnavailable = (error: unknown): boolean => Object.values(resultCodes).includes(resultCode(error))

const markIfUnavailable = (error: unknown): unknown => (isUnavailable(error) ? markUnavailable(error) : error)

/** Adds the path to the message of an error, which SQLite leaves out, and marks it. */
function asOpeningError(error: unknown, path: string): unknown {
  if (error instanceof Error && 'errcode' in error) error.message += `: ${path}`
  return markIfUnavailable(error)
}

/**
 * `node:sqlite` for Kysely: one connection, which a transaction holds exclusively until it ends. SQLite's own wait for
 * the write lock of another process would block the event loop, so a refused statement is retried later, and other
 * statements run in between.
 */
export class NodeSqliteDriver implements Driver {
  readonly #path: string
  readonly #onError: (error: unknown) => void
  readonly #openWithinMs: number
  #database: Database | undefined
  /** When to reopen a database with limited access, in the time of `performance.now`; undefined: never. */
  #reopenAt: number | undefined
  /** Resolves when the last user that is queued has released the connection. */
  #idle: Promise<unknown> = Promise.resolve()
  /** The number of statements and transactions that hold the connection or wait for it. */
  #users = 0
  /** Connection objects that are not in use; creating one for each query would take longer than the query. */
  readonly #idleConnections: SqliteConnection[] = []

  /** @param onError called with each error of SQLite */
  constructor(path: string, onError: (error: unknown) => void, openWithinMs: number) {
    this.#path = path
    this.#onError = onError
    this.#openWithinMs = openWithinMs
  }

  async init() {
    try {
      this.#database = this.#open(this.#openWithinMs)
    } catch (error) {
      throw this.#report(error)
    }
  }

  async acquireConnection() {
    return this.#idleConnections.pop() ?? new SqliteConnection(this)
  }

  async releaseConnection(connection: SqliteConnection) {
    this.#idleConnections.push(connection)
  }

  async beginTransaction(connection: SqliteConnection) {
    await connection.executeQuery(CompiledQuery.raw(beginTransaction))
  }

  async commitTransaction(connection: SqliteConnection) {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    connection.endTransaction()
  }

  async rollbackTransaction(connection: SqliteConnection) {
    try {
      // SQLite rolls back by itself when, for example, the disk is full; a second rollback would hide that error.
      if (this.#database?.isInTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
    } finally {
      connection.endTransaction()
    }
  }

  async destroy() {
    this.#reopenAt = undefined
    this.#database?.close()
  }

  /** Runs a statement at once, for the transaction that owns the connection. */
  run(query: CompiledQuery): QueryResult<never> {
    try {
      return (this.#database as Database).run(query)
    } catch (error) {
      throw this.#report(error)
    }
  }

  /** Runs a statement if the connection is free. Undefined: it is not, or the file is locked; use `runInTurn`. */
  runIfFree(query: CompiledQuery): QueryResult<never> | undefined {
    if (this.#users > 0) return undefined
    try {
      return this.#current().run(query)
    } catch (error) {
      if (resultCode(error) === resultCodes.busy) return undefined
      throw this.#report(error)
    }
  }

  /** Runs a statement in turn; retries while the file is locked. `release` frees the connection for the next user. */
  async runInTurn(query: CompiledQuery): Promise<[result: QueryResult<never>, release: () => void]> {
    const giveUpAt = performance.now() + lockWaitMs
    for (;;) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const release = () => {
        this.#users--
        resolve()
      }
      const previous = this.#idle
      this.#idle = promise
      this.#users++
      await previous
      try {
        return [this.#current().run(query), release]
      } catch (error) {
        release()
        if (resultCode(error) !== resultCodes.busy || performance.now() > giveUpAt) {
          throw this.#report(error)
        }
      }
      await pause(retryEveryMs)
    }
  }

  #open(withinMs: number): Database {
    try {
      const { database, isLimited } = openFile(this.#path, withinMs)
      this.#reopenAt = isLimited ? performance.now() + reopenEveryMs : undefined
      return new Database(database)
    } catch (error) {
      throw asOpeningError(error, this.#path)
    }
  }

  /** The database for a statement outside a transaction. One with limited access is reopened first, when it is time. */
  #current(): Database {
    if (this.#reopenAt !== undefined && performance.now() > this.#reopenAt) {
      this.#database?.close()
      this.#database = undefined
    }
    this.#database ??= this.#open(reopenWithinMs)
    return this.#database
  }

  /** Reports an error, and returns it, marked if the database is unavailable. */
  #report(error: unknown): unknown {
    this.#onError(error)
    return markIfUnavailable(error)
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: NodeSqliteDriver
  /** Releases the driver's connection; set while a transaction is open. */
  #release: (() => void) | undefined

  constructor(driver: NodeSqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#release) return this.#driver.run(query)
    if (query.sql !== beginTransaction) {
      const result = this.#driver.runIfFree(query)
      if (result) return result
    }
    const [result, release] = await this.#driver.runInTurn(query)
    if (query.sql === beginTransaction) this.#release = release
    else release()
    return result
  }

  endTransaction() {
    this.#release?.()
    this.#release = undefined
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('SQLite queries are not streamed')
  }
}

/**
 * The size of the statement cache: parsing a statement takes longer than running it. The program has some tens of
 * statements; lists of values of different lengths add some.
 */
const maxStatements = 500

interface PreparedStatement {
  statement: StatementSync
  columns: string[]
  /** Converts a row to an object; compiled when many rows are read. */
  toObject?: (values: unknown[]) => never
}

class Database {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, PreparedStatement>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get isInTransaction() {
    return this.#database.isTransaction
  }

  run({ sql, parameters }: CompiledQuery): QueryResult<never> {
    const prepared = this.#prepare(sql)
    const { statement, columns } = prepared
    const values = parameters as SQLInputValue[]
    if (columns.length > 0) return { rows: toObjects(prepared, statement.all(...values) as unknown as unknown[][]) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #prepare(sql: string) {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    if (this.#statements.size >= maxStatements) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    const prepared: PreparedStatement = { statement, columns: statement.columns().map(({ name }) => name) }
    statement.setReturnArrays(true)
    this.#statements.set(sql, prepared)
    return prepared
  }

  close() {
    this.#statements.clear()
    this.#database.close()
  }
}

/** From this number of rows on, compiling a function for their columns takes less time than it saves. */
const minRowsToCompile = 10

/** Converts rows to objects. Reading the properties of the objects of `node:sqlite` would take twice as long. */
function toObjects(prepared: PreparedStatement, rows: unknown[][]): never[] {
  const { columns } = prepared
  if (rows.length < minRowsToCompile && !prepared.toObject) return rows.map((values) => toObject(columns, values))
  prepared.toObject ??= compileToObject(columns)
  return rows.map(prepared.toObject)
}

function toObject(columns: string[], values: unknown[]): never {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index]
  return row as never
}

/**
 * Compiles a function that creates an object literal: ten times as fast as setting its properties one by one. The
 * column names come from the program's own queries, and JSON escapes them.
 */
function compileToObject(columns: string[]): (values: unknown[]) => never {
  const properties = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  return new Function('values', `return { ${properties.join(', ')} }`) as (values: unknown[]) => never
}

/**
 * Opens the file, also on a full or read-only disk.
 * @param timeout how long it waits for a lock, in milliseconds
 * @returns `isLimited`: this process cannot write to it, or other processes cannot use it
 */
function openFile(path: string, timeout: number): { database: DatabaseSync; isLimited: boolean } {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const open = (location: string | URL) => {
    const database = new DatabaseSync(location, { timeout, enableForeignKeyConstraints: true, defensive: true })
    // The triggers of `fillSearchTextByTriggers` call `folded_text`.
    database.function('folded_text', { deterministic: true }, (text) => foldedText(String(text)))
    database.function('without_addresses', { deterministic: true }, (text) => redactEmails(String(text)))
    return database
  }
  const isReadOnly = isOnReadOnlyDisk(path)
  let isLimited = isReadOnly || isReadOnlyFile(path)
  let database = open(path)
  try {
    try {
      // Lets free pages be returned to the disk. Only has an effect on a new file; on others it would wait for writers.
      if (database.prepare('pragma page_count').get()?.page_count === 0) {
        database.exec('pragma auto_vacuum = incremental')
      }
      database.exec('pragma journal_mode = wal')
    } catch (error) {
      database.close()
      if (!isWriteFailure(error) && resultCode(error) !== resultCodes.cannotOpen) throw error
      isLimited = true
      if (isReadOnly) {
        database = open(readOnlyUrl(path))
        database.exec('pragma locking_mode = exclusive')
      } else {
        // Without space for the shared memory file (`-shm`) only this process can read the database.
        database = open(path)
        database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal')
      }
    }
    // FULL: a committed transaction is on disk, also after a power failure.
    database.exec('pragma synchronous = full; pragma temp_store = memory; pragma cache_size = -4000')
    // Overwrites deleted content, so that it cannot be recovered from the file or a copy of it.
    database.exec('pragma secure_delete = on')
    // From here on, the driver waits for locks instead of SQLite.
    database.exec('pragma busy_timeout = 0')
    return { database, isLimited }
  } catch (error) {
    if (database.isOpen) database.close()
    throw error
  }
}

/** Whether the disk is read-only. A folder that only this user may not write to does not count: others may write. */
function isOnReadOnlyDisk(path: string): boolean {
  if (path === ':memory:') return false
  try {
    accessSync(dirname(path), constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}

/** Whether this user may not write to the file: SQLite opens it read-only, and it stays so until it is reopened. */
function isReadOnlyFile(path: string): boolean {
  if (path === ':memory:' || !existsSync(path)) return false
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch {
    return true
  }
}

/**
 * The URL by which SQLite reads a file on a read-only disk without locks: it cannot create the shared memory file for
 * them. `immutable` would ignore what a killed process left in the WAL file.
 */
function readOnlyUrl(path: string): URL {
  const url = pathToFileURL(path)
  url.search = existsSync(`${path}-wal`) ? 'vfs=unix-none' : 'immutable=1'
  return url
}
