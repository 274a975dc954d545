/** Without the single marks, which may be an apostrophe: ’t. */
const quotationMarks = /^["“”„‟«»]+|["“”„‟«»]+$/g

/** The words of a search, without the quotation marks around them; a search of only such marks stays as it is. */
export function searchWords(search: string): string[] {
  const words = search.split(/[\s\p{Cc}]+/u).filter(Boolean)
  const unquoted = words.map((word) => word.replace(quotationMarks, '')).filter(Boolean)
  return unquoted.length > 0 ? unquoted : words
}
