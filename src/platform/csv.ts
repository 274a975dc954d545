import { dayAt } from '../contract/day.ts'

/** Rows in one piece. */
const batch = 500

/** A CSV file in pieces: the headings, then the rows of some ids at a time. */
export async function* csvFile(
  headings: readonly string[],
  ids: readonly number[],
  loadRows: (ids: number[]) => Promise<string[][]>,
): AsyncGenerator<string, void, undefined> {
  yield `${csvStart}${csvLine(headings)}`
  for (let at = 0; at < ids.length; at += batch) {
    yield (await loadRows(ids.slice(at, at + batch))).map(csvLine).join('')
  }
}

/** One CSV line. Semicolons: the separator that Excel expects in the Netherlands and in Iran. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(';')}\r\n`

/**
 * A byte order mark for the encoding, and the separator, which Excel otherwise takes from the system's locale. After such
 * a line Excel ignores the mark: see decision 98.
 */
const csvStart = '\ufeffsep=;\r\n'

/** Against formula injection: a spreadsheet treats a cell that begins with an apostrophe as text. */
const csvCell = (text: string): string => {
  const safe = /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n|]/u.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/**
 * The headers of a CSV download.
 * @param file.name in ASCII, for old clients; `title` is the full name, without extension
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

/** Streams text at the pace of its reader. */
export function streamText(pieces: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return()
    },
  })
}
