import type { QueryClient } from '@tanstack/react-query'
import type { Locale } from '../../../contract/locales.ts'
import { hasRight } from '../../../contract/rights.ts'
import { VisualEditor } from '../blocks/body-editor.tsx'
import { previewDataQuery, siteTextsQuery } from '../blocks/preview-data.ts'
import { meQuery } from '../sign-in/me.ts'
import { opensVisually } from './body-section.tsx'
import { pageQuery } from './pages.ts'

/** Begins all that the canvas needs at once, while the screen and its data are under way. */
export function preloadEditor(queries: QueryClient, id: number, locale: Locale): void {
  if (!opensVisually() || !hasRight(queries.getQueryData(meQuery.queryKey), ['pages.write'])) return
  // What fails is loaded again by the screen, which shows why.
  void VisualEditor.load().catch(() => {})
  void queries.prefetchQuery(siteTextsQuery(locale))
  queries.ensureQueryData(pageQuery(id, locale)).then(
    ({ text }) => queries.prefetchQuery(previewDataQuery(text.body)),
    () => {},
  )
}
