import { createHash } from 'node:crypto'
import { firstPaint } from 'virtual:client-assets'

/** The one script that stands in the page itself, and how the Content-Security-Policy names it, quotes included. */
export const headScript = {
  code: firstPaint,
  hash: `'sha256-${createHash('sha256').update(firstPaint).digest('base64')}'`,
}
