/** What every answer says about itself. `styles` and `scripts` are the hashes of what stands in the page itself: `'sha256-…'`; `frames`: whether the page may show others of the site in it. */
export function securityHeaders(
  origin: string,
  styles: string[] = [],
  scripts: string[] = [],
  frames: 'none' | 'self' = 'none',
): [string, string][] {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    `style-src ${styles.length > 0 ? styles.join(' ') : "'none'"}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ...(frames === 'self' ? ["frame-src 'self'"] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  const headers: [string, string][] = [
    ['Content-Security-Policy', policy.join('; ')],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ]
  if (origin.startsWith('https://')) headers.push(['Strict-Transport-Security', 'max-age=31536000'])
  return headers
}
