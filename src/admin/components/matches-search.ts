import { searchWords } from '../../contract/search-words.ts'

/** Whether a text contains every word of a search, without regard to case, accents and Arabic characters. */
export function matchesSearch(text: string, search: string): boolean {
  const foldedText = foldText(text)
  return searchWords(foldText(search)).every((word) => foldedText.includes(word))
}

/** Removes case, accents and joiners, and replaces the Arabic forms of a Persian character by the Persian one. */
const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\p{M}\u0640\u200b-\u200d]/gu, '')
    .toLowerCase()
    .replace(/[يى]/g, 'ی')
    .replace(/ك/g, 'ک')
    .replace(/ة/g, 'ه')
