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
  /** Whether it stands in the summary too. */
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

const from = '<!-- figures -->'
const until = '<!-- /figures -->'

/** Writes the figures between the two marks of a document. */
export function writeFigures(path: string, figures: Figure[]): void {
  const text = readFileSync(path, 'utf8')
  const [before, rest] = text.split(from)
  const after = rest?.split(until)[1]
  if (before === undefined || after === undefined) throw new Error(`${path} lacks ${from} … ${until}`)
  const summary = figures.filter((figure) => figure.summary)
  writeFileSync(
    path,
    `${before}${from}\n${machine()}\n\n## Summary\n\n${table(summary)}\n\n## All figures\n\n${table(figures)}\n${until}${after}`,
  )
}

const table = (figures: Figure[]): string =>
  [heads, heads.map(() => '---'), ...figures.map(cells)].map((row) => `| ${row.join(' | ')} |`).join('\n')

function machine(): string {
  const day = new Date().toISOString().slice(0, 10)
  const memory = Math.round(totalmem() / 1_073_741_824)
  return `${day}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB, ${process.platform} ${release()}, Node ${process.versions.node}.`
}
