/** The path of the search on the site, in every language, and of the same search as JSON. */
export const searchPath = '/zoeken'
export const suggestionsPath = '/zoeken.json'

/** A part of a found text; `isMatch`: a searched word, to highlight. */
export interface FoundPart {
  text: string
  isMatch: boolean
}

/** The response of `suggestionsPath`: the titles and addresses of the first results. */
export interface Suggestions {
  suggestions: { title: string; url: string }[]
}
