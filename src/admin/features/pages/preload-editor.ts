import type { QueryClient } from '@tanstack/react-query'
import type { Locale } from '../../../contract/locales.ts'
import { hasRight } from '../../../contract/rights.ts'
import { previewDataQuery, siteTextsQuery } from '../blocks/preview-data.ts'
import { meQuery } from '../sign-in/me.ts'
import { BodyEditor, opensVisually } from './body-section.tsx'
import { pageQuery } from './pages.ts'

/** Loads the code of the canvas, if pages open on it. */
export async function loadEditor(): Promise<void> {
  if (opensVisually()) await BodyEditor.load()
}

/** Begins all that the canvas needs at once, while the screen and its data are under way. */
export function preloadEditor(queries: QueryClient, id: number, locale: Locale): void {
  if (!opensVisually() || !hasRight(queries.getQueryData(meQuery.queryKey), ['pages.write'])) return
  // What fails is loaded again by the screen, which shows why.
  loadEditor().catch(() => {})
  void queries.prefetchQuery(siteTextsQuery(locale))
  queries.ensureQueryData(pageQuery(id, locale)).then(
    ({ text }) => queries.prefetchQuery(previewDataQuery(text.body, locale)),
    () => {},
  )
}
