import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'

export interface Figure {
  what: string
  ours: string
  /** The bare Node server, in the same run. */
  bare: string
  goal: string
  met?: boolean
  note?: string
  /** Whether it stands among the ten of the summary too. */
  summary?: boolean
}

const mark = ({ met }: Figure) => (met === undefined ? '' : met ? 'yes' : 'no')
const cells = (figure: Figure) => [figure.what, figure.ours, figure.bare, figure.goal, mark(figure), figure.note ?? '']
const heads = ['what', 'Etalage', 'bare Node server', 'goal', 'met', 'remark']

/** The summary comes first. */
export function printFigures(figures: Figure[]): void {
  const summary = figures.filter((figure) => figure.summary)
  if (summary.length > 0 && summary.length < figures.length) {
    printTable(summary)
    process.stdout.write('\n')
  }
  printTable(figures)
  process.stdout.write(`\n${machine()}\n`)
}

function printTable(figures: Figure[]): void {
  const rows = [heads, ...figures.map(cells)]
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  for (const row of rows) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}

/** The figures of one part of the bench, and when and on which machine they were measured. */
interface Measured {
  on: string
  figures: Figure[]
}

const from = '<!-- figures -->'
const until = '<!-- /figures -->'

/**
 * Stores the figures of the measured parts in place of their earlier ones, and writes all between the two marks of the document.
 * @param paths.figures a JSON file of `Measured` by part
 */
export function writeFigures(paths: { figures: string; document: string }, measured: Map<string, Figure[]>): void {
  const stored: Record<string, Measured> = JSON.parse(readFileSync(paths.figures, 'utf8'))
  for (const [part, figures] of measured) stored[part] = { on: machine(), figures }
  writeFileSync(paths.figures, `${JSON.stringify(stored, null, 2)}\n`)

  const [before, rest] = readFileSync(paths.document, 'utf8').split(from)
  const after = rest?.split(until)[1]
  if (before === undefined || after === undefined) throw new Error(`${paths.document} lacks ${from} … ${until}`)
  const summary = Object.values(stored).flatMap(({ figures }) => figures.filter((figure) => figure.summary))
  const parts = Object.entries(stored).map(([part, { on, figures }]) => `## ${part}\n\n${on}\n\n${table(figures)}`)
  const text = [`## Summary\n\n${table(summary)}`, ...parts].join('\n\n')
  writeFileSync(paths.document, `${before}${from}\n${text}\n${until}${after}`)
}

const table = (figures: Figure[]): string =>
  [heads, heads.map(() => '---'), ...figures.map(cells)]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

function machine(): string {
  const day = new Date().toISOString().slice(0, 10)
  const memory = Math.round(totalmem() / 1_073_741_824)
  return `${day}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB, ${process.platform} ${release()}, Node ${process.versions.node}.`
}
