import { pages, redirects } from './admin/pages.ts'

/** The texts of the screens of pages, which the browser loads with the first of them. */
export const adminPages = { pages, redirects }
