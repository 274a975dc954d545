import { dayAt } from '../contract/day.ts'

const rowsPerBatch = 500

/** Generates a CSV file: the headings, then batches of rows, which `loadRows` loads by their ids. */
export async function* csvFile(
  headings: readonly string[],
  ids: readonly number[],
  loadRows: (ids: number[]) => Promise<string[][]>,
): AsyncGenerator<string, void, undefined> {
  yield `${csvStart}${csvLine(headings)}`
  for (let start = 0; start < ids.length; start += rowsPerBatch) {
    yield (await loadRows(ids.slice(start, start + rowsPerBatch))).map(csvLine).join('')
  }
}

/** One CSV line. The separator is a semicolon, which Excel expects in the Netherlands and in Iran. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(';')}\r\n`

/**
 * A byte order mark for the encoding, and the separator, which Excel otherwise takes from the system's locale. Excel
 * ignores the mark before such a line: see decision 98.
 */
const csvStart = '\ufeffsep=;\r\n'

/** A quoted cell. Prevents formula injection: a spreadsheet treats a cell that begins with an apostrophe as text. */
const csvCell = (text: string): string => {
  const safe = /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n|]/u.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/**
 * The headers of a CSV download.
 * @param file.name the name in ASCII, for old clients; `title`: the name in any script; both without extension
 */
export const csvHeaders = (file: { name: string; title: string; at: Date }): Record<string, string> => {
  const day = dayAt(file.at)
  return {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': disposition(`${file.name}-${day}.csv`, `${file.title}-${day}.csv`),
  }
}

const disposition = (name: string, title: string) =>
  `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(title)}`

/** Streams generated text at the pace of the reader, which may cancel it. */
export function streamText(chunks: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await chunks.return()
    },
  })
}
