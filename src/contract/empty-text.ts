import type { DraftText } from './pages.ts'

/** The initial text of a page or translation. Without schemas, because the first screen of the admin loads this file. */
export const emptyText = {
  title: '',
  slug: '',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [],
} satisfies DraftText
