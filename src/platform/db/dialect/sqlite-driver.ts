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
/** How often a file is opened again that could not be opened as it should be, and how long that may wait for a lock. */
const reopenEveryMs = 1_000
const reopenWithinMs = 100

/** Primary result codes of SQLite. */
const resultCodes = { busy: 5, readOnly: 8, ioError: 10, full: 13, cannotOpen: 14 }
const resultCode = (error: unknown) => Number((error as { errcode?: unknown }).errcode) & 0xff

/** Whether another connection to the file is open: leaving WAL mode is refused then. Opening the database turns it on again. */
export function isOpenElsewhere(path: string): boolean {
  if (!existsSync(path)) return false
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    database.exec('pragma journal_mode = delete')
    return false
  } catch (error) {
    if (resultCode(error) === resultCodes.busy) return true
    throw markedAtOpening(error, path)
  } finally {
    database?.close()
  }
}

/** SQLite refused a write because the disk is full or failing, or the file is read-only. */
export const isWriteFailure = (error: unknown): boolean =>
  [resultCodes.readOnly, resultCodes.ioError, resultCodes.full].includes(resultCode(error))

/** Whether the disk is full, or what one user may write to it, for a database or another file. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (resultCode(error) === resultCodes.full || /^(ENOSPC|EDQUOT)$/.test(String((error as NodeJS.ErrnoException).code)))

/** The database cannot be used at the moment: locked by another process, or its disk is failing or full. */
const isUnavailable = (error: unknown): boolean => Object.values(resultCodes).includes(resultCode(error))

const marked = (error: unknown): unknown => (isUnavailable(error) ? markUnavailable(error) : error)

/** With the path in its message, which SQLite leaves out. */
function markedAtOpening(error: unknown, path: string): unknown {
  if (error instanceof Error && 'errcode' in error) error.message += `: ${path}`
  return marked(error)
}

/**
 * `node:sqlite` for Kysely: one connection, which a transaction has to itself until it ends. SQLite's own wait for the
 * write lock of another process would block the event loop, so a refused statement is tried again later, and other
 * statements run in between.
 */
export class NodeSqliteDriver implements Driver {
  readonly #path: string
  readonly #onError: (error: unknown) => void
  readonly #openWithinMs: number
  #database: Database | undefined
  /** Set while the disk is full or read-only since before the file was opened. */
  #reopenAt: number | undefined
  /** Resolves when the connection is free. */
  #idle: Promise<unknown> = Promise.resolve()
  /** The statements and transactions that have the connection, or wait for it. */
  #users = 0
  /** Connections that are not in use; a new one for each query would cost more than the query. */
  readonly #spare: SqliteConnection[] = []

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
      throw this.#noted(error)
    }
  }

  async acquireConnection() {
    return this.#spare.pop() ?? new SqliteConnection(this)
  }

  async releaseConnection(connection: SqliteConnection) {
    this.#spare.push(connection)
  }

  async beginTransaction(connection: SqliteConnection) {
    await connection.executeQuery(CompiledQuery.raw(beginTransaction))
  }

  async commitTransaction(connection: SqliteConnection) {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    connection.end()
  }

  async rollbackTransaction(connection: SqliteConnection) {
    try {
      // After a failure like a full disk SQLite has rolled back by itself, and a second rollback would hide the cause.
      if (this.#database?.isInTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
    } finally {
      connection.end()
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
      throw this.#noted(error)
    }
  }

  /** Runs a statement if the connection is free. Undefined: `runInTurn` must run it. */
  runIfFree(query: CompiledQuery): QueryResult<never> | undefined {
    if (this.#users > 0) return undefined
    try {
      return this.#current().run(query)
    } catch (error) {
      if (resultCode(error) === resultCodes.busy) return undefined
      throw this.#noted(error)
    }
  }

  /** Runs a statement when the connection is free. @returns its result, and a function that releases the connection */
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
          throw this.#noted(error)
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
      throw markedAtOpening(error, this.#path)
    }
  }

  /** The connection for a statement outside a transaction; once the disk has room or can be written, as it should be. */
  #current(): Database {
    if (this.#reopenAt !== undefined && performance.now() > this.#reopenAt) {
      this.#database?.close()
      this.#database = undefined
    }
    this.#database ??= this.#open(reopenWithinMs)
    return this.#database
  }

  #noted(error: unknown): unknown {
    this.#onError(error)
    return marked(error)
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: NodeSqliteDriver
  /** Set while a transaction is open. */
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

  end() {
    this.#release?.()
    this.#release = undefined
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('SQLite queries are not streamed')
  }
}

/**
 * The size of the statement cache: parsing a statement costs more than running it. The program has some tens of
 * statements; value lists of varying length add a few.
 */
const maxStatements = 500

interface PreparedStatement {
  statement: StatementSync
  columns: string[]
  /** A row as an object; compiled when many rows were read. */
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
    const known = this.#statements.get(sql)
    if (known) return known
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
const manyRows = 10

/** Faster than the objects of `node:sqlite`, whose properties take twice as long to read. */
function toObjects(prepared: PreparedStatement, rows: unknown[][]): never[] {
  const { columns } = prepared
  if (rows.length < manyRows && !prepared.toObject) return rows.map((values) => toObject(columns, values))
  prepared.toObject ??= compileToObject(columns)
  return rows.map(prepared.toObject)
}

function toObject(columns: string[], values: unknown[]): never {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index]
  return row as never
}

/**
 * An object literal of known properties is made ten times as fast as an object that gets them one by one, by their names. Those are
 * of the program's own queries, and are written as JSON.
 */
function compileToObject(columns: string[]): (values: unknown[]) => never {
  const properties = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  return new Function('values', `return { ${properties.join(', ')} }`) as (values: unknown[]) => never
}

/** @returns the open file, and whether other processes cannot use it, or this one cannot write to it */
function openFile(path: string, timeout: number): { database: DatabaseSync; isLimited: boolean } {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const open = (location: string | URL) => {
    const database = new DatabaseSync(location, { timeout, enableForeignKeyConstraints: true, defensive: true })
    // Called by triggers: see `fillSearchTextByTriggers`.
    database.function('folded_text', { deterministic: true }, (text) => foldedText(String(text)))
    database.function('without_addresses', { deterministic: true }, (text) => redactEmails(String(text)))
    return database
  }
  const isReadOnly = isOnReadOnlyDisk(path)
  let isLimited = isReadOnly || isReadOnlyFile(path)
  let database = open(path)
  try {
    try {
      // Only has an effect on a new file: free pages can be given back to the disk. On others it would wait for writers.
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
    // From here on the driver waits for locks, and not SQLite.
    database.exec('pragma busy_timeout = 0')
    return { database, isLimited }
  } catch (error) {
    if (database.isOpen) database.close()
    throw error
  }
}

/** False for a folder that merely this user may not write to: others may, so reading without locks would be wrong. */
function isOnReadOnlyDisk(path: string): boolean {
  if (path === ':memory:') return false
  try {
    accessSync(dirname(path), constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}

/** SQLite opens a file that it may not write to for reading only, and keeps it so. */
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
 * Without the shared memory file, which no process has open then, SQLite cannot lock a file on a read-only disk: it is read
 * without locks. `immutable` would pass over what a killed process left in the WAL file.
 */
function readOnlyUrl(path: string): URL {
  const url = pathToFileURL(path)
  url.search = existsSync(`${path}-wal`) ? 'vfs=unix-none' : 'immutable=1'
  return url
}
