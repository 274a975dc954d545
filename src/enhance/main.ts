import { fillInSubjects, submitInPlace } from './contact-form.ts'
import { enlargeImages, playOnClick } from './media.ts'
import { enhanceMobileMenu, enhanceSubmenu } from './menus.ts'

function start(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('.form-panel form:not([data-plain])'))
    submitInPlace(form)
  fillInSubjects(document.querySelectorAll('[data-subject]'))
  for (const submenu of document.querySelectorAll<HTMLElement>('.submenu')) enhanceSubmenu(submenu)
  enhanceMobileMenu()
  for (const gallery of document.querySelectorAll<HTMLElement>('.gallery')) enlargeImages(gallery)
  for (const still of document.querySelectorAll<HTMLAnchorElement>('[data-player]')) playOnClick(still)
  const { suggest } = document.body.dataset
  if (suggest) loadAtSearchField(suggest)
  // Only installable browsers use the manifest, and they would request it before the first paint.
  const manifest = document.createElement('link')
  manifest.rel = 'manifest'
  manifest.href = '/site.webmanifest'
  document.head.append(manifest)
}

/** Most visitors never search, so the script of the suggestions is loaded when the field is reached. */
function loadAtSearchField(src: string): void {
  const load = ({ target }: { target: EventTarget | null }) => {
    if (!(target as Element | null)?.closest?.('.search-field')) return
    removeEventListener('focusin', load)
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }))
  }
  addEventListener('focusin', load)
  load({ target: document.activeElement })
}

// This script may run before the page is completely parsed.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
else start()
