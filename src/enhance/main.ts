import { sendInPlace } from './contact-form.ts'
import { dropMenu } from './drop-menu.ts'
import { mobileMenu } from './mobile-menu.ts'

function begin(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('.sheet form')) sendInPlace(form)
  for (const drop of document.querySelectorAll<HTMLElement>('.drop')) dropMenu(drop)
  mobileMenu()
  // Only a browser that can put the site on a home screen asks for it, and it would ask before the first paint.
  const manifest = document.createElement('link')
  manifest.rel = 'manifest'
  manifest.href = '/site.webmanifest'
  document.head.append(manifest)
}

// The first paint, which brings this, can come before the end of the page.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
else begin()
