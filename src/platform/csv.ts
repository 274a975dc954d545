/** One line for a spreadsheet. Semicolons: what one of this country and of Iran takes for the end of a cell. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(';')}\r\n`

/** Stands before the first line: without it a spreadsheet takes the text for another encoding. */
export const csvMark = '\ufeff'

/** A spreadsheet runs a cell that begins like a formula; after an apostrophe it is text. */
const csvCell = (text: string): string => {
  const safe = /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n|]/u.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
