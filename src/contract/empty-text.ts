import type { DraftText } from './pages.ts'

/** The text of a new page or translation, before its first revision. The first view of the admin loads it, so it is without schemas. */
export const emptyText = {
  title: '',
  slug: '',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [],
} satisfies DraftText
