import { Worker } from 'node:worker_threads'

/**
 * Checks the pages, rows and references of each table in a separate thread with its own connection, because SQLite's
 * calls are synchronous and would block every visitor.
 * @param options.withinMs the check ends after this time; the thread ends when it has read the current table
 * @returns the problems; undefined when there was no time for all tables and no damage was found so far
 */
export function findSqliteDamage(
  path: string,
  { withinMs } = { withinMs: Number.POSITIVE_INFINITY },
): Promise<string[] | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(checkTables, { eval: true, workerData: { path } })
    worker.unref()
    const problems: string[] = []
    const end = (isComplete: boolean) => resolve(isComplete || problems.length > 0 ? problems : undefined)
    const stop = () => {
      end(false)
      void worker.terminate()
    }
    const timer = Number.isFinite(withinMs) ? setTimeout(stop, withinMs) : undefined
    worker.on('message', (problem: string) => problems.push(problem))
    worker.once('error', reject)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      end(code === 0)
    })
  })
}

/** The source of the worker as text, because the bundled program has no separate file for it. */
const checkTables = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(workerData.path, { readOnly: true })
let count = 0
const report = (problem) => {
  count++
  parentPort.postMessage(problem)
}
/** SQLite throws for a destroyed page or header: 11 is "corrupt", 26 "not a database". */
const reportingDamage = (name, check) => {
  try {
    check()
  } catch (error) {
    if (![11, 26].includes(error.errcode & 0xff)) throw error
    report(name + error.message)
  }
}
const quoted = (name) => '"' + name.replaceAll('"', '""') + '"'
reportingDamage('', () => {
  const tables = db.prepare("select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow')").all()
  for (const { name } of tables) {
    if (count > 5) break
    reportingDamage(name + ': ', () => {
      for (const row of db.prepare('pragma quick_check(' + quoted(name) + ')').all()) {
        const text = Object.values(row)[0]
        if (text !== 'ok') report(name + ': ' + text)
      }
    })
    reportingDamage(name + ': ', () => {
      const row = db.prepare('pragma foreign_key_check(' + quoted(name) + ')').get()
      if (row) report(name + ': a row refers to one that does not exist')
    })
  }
})
db.close()
`
