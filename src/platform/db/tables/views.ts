/** A page in one language on one day; see `PageViews`. */
export interface PageViewTable {
  /** Of the calendar in Amsterdam: `2026-11-21`. */
  day: string
  /** Without the language: `/disclaimer`. */
  path: string
  locale: string
  views: number
}
