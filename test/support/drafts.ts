import type { Page } from 'playwright-core'
import type { Locale } from '../../src/contract/locales.ts'
import type { Draft, DraftText, ListedPage, PageInLocale } from '../../src/contract/pages.ts'
import { type StaffedProgram, show } from './admin.ts'

/** A page with something on it, as the administrator made it. */
export async function aSavedPage(site: StaffedProgram, title: string, more: Partial<DraftText> = {}) {
  const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title })
  const page = await savedIn(site, id)
  await savePage(site, page, {
    body: [
      { type: 'rich-text', id: 'welkom', content: '<p>Welkom bij ons.</p>' },
      {
        type: 'cta',
        id: 'bel',
        title: 'Bel ons',
        text: 'Wij zitten klaar.',
        button: { title: 'Contact', url: '/#contact' },
      },
    ],
    ...more,
  })
  return id
}

export const savedIn = (site: StaffedProgram, id: number, locale: Locale = 'nl'): Promise<PageInLocale> =>
  site.call('GET', `/api/pages/${id}/${locale}`)

/** Saves it with these values changed, as the administrator in another browser would. */
export const savePage = (site: StaffedProgram, page: PageInLocale, changes: Partial<DraftText>, publish = false) =>
  site.call<PageInLocale>('PUT', `/api/pages/${page.id}/${page.locale}`, {
    text: { ...page.text, ...changes },
    version: page.version,
    publish,
  })

/** The draft of the administrator; undefined: there is none. */
export async function draftOf(site: StaffedProgram, id: number, locale: Locale = 'nl'): Promise<Draft | undefined> {
  const { draft } = await savedIn(site, id, locale)
  return draft ? site.call('GET', `/api/pages/${id}/${locale}/draft`) : undefined
}

export const titleField = (page: Page) => page.locator('[data-page-field="title"] input')
export const descriptionField = (page: Page) => page.locator('[data-page-field="description"] textarea')

/** Opens the form, and waits until one can type in it. */
export async function openForm(page: Page, id: number, locale: Locale = 'nl'): Promise<void> {
  await show(page, `/admin/pages/${id}/${locale}`)
  await titleField(page).waitFor()
}

export const question = (page: Page) => page.getByRole('alertdialog')

/** The plain list of blocks, whatever the width: the visual editor has journeys of its own. */
export const byOutline = (page: Page) => page.addInitScript(() => localStorage.setItem('etalage.editor', 'list'))
