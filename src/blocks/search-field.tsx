import type { ReactNode } from 'react'
import { limits } from '../contract/limits.ts'
import { localizedPath } from '../contract/locales.ts'
import { searchPath, suggestionsPath } from '../contract/site-search.ts'
import type { RenderContext } from './define-block.ts'
import { renderIcon } from './icons.tsx'

/** Renders the search form of the site. A script adds suggestions, with the URL and texts in the data attributes. */
export function renderSearchField({ locale, site, t }: RenderContext, query?: string): ReactNode {
  return (
    <search
      className="search-field"
      aria-label={t('site.search.label')}
      data-source={localizedPath(suggestionsPath, locale, site)}
      data-list={t('site.search.suggestions')}
      data-count={t('site.search.suggested', { shown: '#' })}
    >
      <form action={localizedPath(searchPath, locale, site)}>
        <input
          type="search"
          name="q"
          defaultValue={query}
          placeholder={t('site.search.placeholder')}
          aria-label={t('site.search.label')}
          maxLength={limits.searchChars}
          autoComplete="off"
          enterKeyHint="search"
        />
        <button type="submit" aria-label={t('site.search.submit')}>
          {renderIcon('search')}
        </button>
      </form>
    </search>
  )
}
