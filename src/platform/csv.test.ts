import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvHeaders, csvLine } from './csv.ts'

/** The cells that a spreadsheet reads from a line. */
function read(line: string): string[] {
  const cells = line.match(/"(?:[^"]|"")*"/g) ?? []
  return cells.map((cell) => cell.slice(1, -1).replaceAll('""', '"'))
}

test('any cells survive a round trip, and no cell begins like a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (cells) => {
      const line = csvLine(cells)
      expect(line.endsWith('\r\n')).toBe(true)
      const back = read(line)
      expect(back).toHaveLength(cells.length)
      for (const [index, cell] of back.entries()) {
        expect(cell.replace(/^'/, '')).toBe((cells[index] as string).replace(/^'/, ''))
        expect(cell).not.toMatch(/^[=+\-@\t\r]/)
      }
    }),
  )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\u200f=1', '＝1', '|cmd'])('%j is escaped', (formula) =>
  expect(csvLine([formula])).toBe(`"'${formula}"\r\n`),
)

test.each(['Noor', 'a=b', "d'Hondt", '', 'رویا'])('%j is unchanged', (text) =>
  expect(csvLine([text])).toBe(`"${text}"\r\n`),
)

test('an export is named by the day in Amsterdam', () =>
  expect(csvHeaders({ name: 'x', title: 'x', at: new Date('2026-07-01T00:30:00+02:00') })).toMatchObject({
    'Content-Disposition': expect.stringContaining('x-2026-07-01.csv'),
  }))
