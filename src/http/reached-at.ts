/**
 * The origin by which a request reached the site, without a slash at the end. Where BASE_URL is set that is the one.
 * Else it is the configured address when the browser asked that host; and for any other host, a machine's own or a
 * network's, what the request itself says, so that a sign-in works there too.
 * @param at.proxied whether a proxy that is trusted stands in front
 */
export function reachedAt(
  request: Request,
  at: { baseUrl: string | undefined; siteUrl: string; proxied: boolean },
): string {
  if (at.baseUrl) return new URL(at.baseUrl).origin
  const asked = URL.parse(request.url)
  const known = new URL(at.siteUrl)
  // A host that cannot be is refused before anybody reads this.
  if (!asked || asked.host === known.host) return known.origin
  const forwarded = at.proxied ? request.headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim() : undefined
  return `${forwarded === 'https' ? 'https:' : asked.protocol}//${asked.host}`
}
