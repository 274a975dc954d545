import { Worker } from 'node:worker_threads'

/**
 * Checks the pages, rows and references of each table on a thread and a connection of its own, because SQLite's calls
 * are synchronous and would hold up every visitor.
 * @param options.withinMs no further table is checked after this time
 * @returns undefined when there was no time for all tables
 */
export function findSqliteDamage(
  path: string,
  { withinMs } = { withinMs: Number.POSITIVE_INFINITY },
): Promise<string[] | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(checkTables, { eval: true, workerData: { path, withinMs } })
    worker.unref()
    worker.once('message', (found: string[] | null) => resolve(found ?? undefined))
    worker.once('error', reject)
    // Has no effect if a message has already resolved the promise.
    worker.once('exit', () => resolve(undefined))
  })
}

/** The source of the worker as text, because the bundled program has no separate file for it. */
const checkTables = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const { path, withinMs } = workerData
const until = performance.now() + withinMs
const db = new DatabaseSync(path, { readOnly: true })
const quoted = (name) => '"' + name.replaceAll('"', '""') + '"'
const tables = db.prepare("select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow')").all()
const found = []
let late = false
for (const { name } of tables) {
  late ||= performance.now() > until
  if (late || found.length > 5) break
  for (const row of db.prepare('pragma quick_check(' + quoted(name) + ')').all()) {
    const text = Object.values(row)[0]
    if (text !== 'ok') found.push(name + ': ' + text)
  }
  if (db.prepare('pragma foreign_key_check(' + quoted(name) + ')').get()) found.push(name + ': a row refers to one that does not exist')
}
db.close()
parentPort.postMessage(late && found.length === 0 ? null : found)
`
