import { fillInSubjects, submitInPlace } from './contact-form.ts'
import { enlargeImages, playOnClick } from './media.ts'
import { enhanceMobileMenu, enhanceSubmenu } from './menus.ts'

/** Enhances the elements of the page; each works without JavaScript too. */
function start(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('.form-panel form:not([data-plain])'))
    submitInPlace(form)
  fillInSubjects(document.querySelectorAll('[data-subject]'))
  for (const submenu of document.querySelectorAll<HTMLElement>('.submenu')) enhanceSubmenu(submenu)
  enhanceMobileMenu()
  for (const gallery of document.querySelectorAll<HTMLElement>('.gallery')) enlargeImages(gallery)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-player]')) playOnClick(link)
  const { suggest } = document.body.dataset
  if (suggest) loadAtSearchField(suggest)
  // Only installable browsers use the manifest, and they would request it before the first paint.
  const manifest = document.createElement('link')
  manifest.rel = 'manifest'
  manifest.href = '/site.webmanifest'
  document.head.append(manifest)
}

/** Loads the script of the suggestions when a search field first gets the focus: most visitors never search. */
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
