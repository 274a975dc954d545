import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type AdminInitialData, adminInitialDataId } from '../contract/admin-start.ts'

/** What the admin looks like: that of the site. */
type SiteIdentity = Pick<AdminInitialData, 'brand' | 'logoUrl' | 'shades'>

/** The page embeds the first data; after a change of the configuration a new page is fetched for it. */
export const siteIdentityQuery = queryOptions({
  queryKey: ['site-identity'],
  async queryFn(): Promise<SiteIdentity> {
    const response = await fetch('/user', { cache: 'no-store' })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const identity = readInitialData(page)
    const paletteCss = page.head.querySelector('style')?.textContent ?? ''
    document.head.querySelector('style')?.replaceChildren(paletteCss)
    return identity
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** @param queries outside its provider */
export const useSiteIdentity = (queries?: QueryClient): SiteIdentity =>
  // It is stored at page load, and never removed.
  useQuery(siteIdentityQuery, queries).data as SiteIdentity

/** Reads the data that the server embedded in a page of the admin. @throws {SyntaxError} for another page */
export function readInitialData(page: Document): AdminInitialData {
  return JSON.parse(page.getElementById(adminInitialDataId)?.textContent ?? '') as AdminInitialData
}
