import { submitInPlace } from './contact-form.ts'
import { enhanceMobileMenu } from './mobile-menu.ts'
import { enhanceSubmenu } from './submenu.ts'

function start(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('.form-panel form')) submitInPlace(form)
  for (const drop of document.querySelectorAll<HTMLElement>('.drop')) enhanceSubmenu(drop)
  enhanceMobileMenu()
  const galleries = document.querySelectorAll<HTMLElement>('.gallery')
  if (galleries.length > 0) import('./enlarge-image.ts').then(({ enlargeImages }) => galleries.forEach(enlargeImages))
  const stills = document.querySelectorAll<HTMLAnchorElement>('[data-player]')
  if (stills.length > 0) import('./play-video.ts').then(({ playOnClick }) => stills.forEach(playOnClick))
  // Only installable browsers use the manifest, and they would request it before the first paint.
  const manifest = document.createElement('link')
  manifest.rel = 'manifest'
  manifest.href = '/site.webmanifest'
  document.head.append(manifest)
}

// This script may run before the page is completely parsed.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
else start()
