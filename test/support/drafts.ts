import type { Page } from 'playwright-core'
import type { Draft } from '../../src/contract/drafts.ts'
import type { Locale } from '../../src/contract/locales.ts'
import type { DraftText, ListedPage, PageInLocale } from '../../src/contract/pages.ts'
import { openScreen, type ProgramWithAdministrator, pressSave } from './admin-program.ts'

/** A page with some content, created by the administrator. */
export async function aSavedPage(site: ProgramWithAdministrator, title: string, more: Partial<DraftText> = {}) {
  const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title })
  const page = await getPageIn(site, id)
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

export const getPageIn = (site: ProgramWithAdministrator, id: number, locale: Locale = 'nl'): Promise<PageInLocale> =>
  site.call('GET', `/api/pages/${id}/${locale}`)

/** Saves the page with these values changed, as the administrator in another browser. */
export const savePage = (
  site: ProgramWithAdministrator,
  page: PageInLocale,
  changes: Partial<DraftText>,
  publish = false,
) =>
  site.call<PageInLocale>('PUT', `/api/pages/${page.id}/${page.locale}`, {
    text: { ...page.text, ...changes },
    version: page.version,
    publish,
  })

/** The draft of the administrator, undefined when there is none. */
export async function draftOf(
  site: ProgramWithAdministrator,
  id: number,
  locale: Locale = 'nl',
): Promise<Draft | undefined> {
  const { draft } = await getPageIn(site, id, locale)
  return draft ? site.call('GET', `/api/pages/${id}/${locale}/draft`) : undefined
}

export const titleField = (page: Page) => page.locator('[data-page-field="title"] input')
export const descriptionField = (page: Page) => page.locator('[data-page-field="description"] textarea')

/** Opens the form, and waits until it can be edited. */
export async function openForm(page: Page, id: number, locale: Locale = 'nl'): Promise<void> {
  await openScreen(page, `/admin/pages/${id}/${locale}`)
  await titleField(page).waitFor()
}

/** Saves the form, and waits for the answer. */
export const saveForm = (page: Page, name = 'Opslaan'): Promise<void> =>
  pressSave(page, page.getByRole('button', { name, exact: true }), /^\/api\/pages\/\d+\/[\w-]+$/)

/** As when the user returns to the tab: the form asks at once for the other users, instead of every ten seconds. */
export const returnToTab = (page: Page) => page.evaluate(() => dispatchEvent(new Event('visibilitychange')))

export const draftQuestion = (page: Page) => page.getByRole('alertdialog')

/** Opens the settings of each page, as a person who left them open. */
export const withSettingsOpen = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('etalage.editor.settings', 'open'))

/** Shows the plain list of blocks and the settings at any width: the visual editor has its own journeys. */
export async function switchToBlockList(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('etalage.editor', 'list'))
  await withSettingsOpen(page)
}

/** Opens the menu of the editor's bar. */
export async function openPageMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Meer acties|کارهای بیشتر)$/ }).click()
}

/** Chooses an action from the menu of the editor's bar. */
export async function chooseFromMenu(page: Page, name: string): Promise<void> {
  await openPageMenu(page)
  await page.getByRole('menuitem', { name, exact: true }).click()
}
