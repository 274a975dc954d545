import type { Page } from 'playwright-core'
import type { Draft } from '../../src/contract/drafts.ts'
import type { Locale } from '../../src/contract/locales.ts'
import type { DraftText, ListedPage, PageInLocale } from '../../src/contract/pages.ts'
import { openScreen, type ProgramWithAdministrator, pressSave } from './admin-program.ts'

/** Adds an unpublished Dutch page with a text block and a call to action, as the administrator, through the API. @returns its id */
export async function aSavedPage(site: ProgramWithAdministrator, title: string, changes: Partial<DraftText> = {}) {
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
    ...changes,
  })
  return id
}

/** The page in one language, as the administrator gets it. */
export const getPageIn = (site: ProgramWithAdministrator, id: number, locale: Locale = 'nl'): Promise<PageInLocale> =>
  site.call('GET', `/api/pages/${id}/${locale}`)

/** Saves the page with these values changed through the API, as if the administrator did so in another browser. */
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

// The form of a page.
export const titleField = (page: Page) => page.locator('[data-page-field="title"] input')
export const descriptionField = (page: Page) => page.locator('[data-page-field="description"] textarea')

/** Opens the form of a page, and waits until it can be edited. */
export async function openForm(page: Page, id: number, locale: Locale = 'nl'): Promise<void> {
  await openScreen(page, `/admin/pages/${id}/${locale}`)
  await titleField(page).waitFor()
}

/** Saves the form of a page with the button of this name, and waits for the answer. */
export const saveForm = (page: Page, name = 'Opslaan'): Promise<void> =>
  pressSave(page, page.getByRole('button', { name, exact: true }), /^\/api\/pages\/\d+\/[\w-]+$/)

/** Dispatches the event of a return to the tab: the form asks at once who else has the page open, instead of every ten seconds. */
export const returnToTab = (page: Page) => page.evaluate(() => dispatchEvent(new Event('visibilitychange')))

/** The dialog that asks whether to load the stored draft. */
export const draftQuestion = (page: Page) => page.getByRole('alertdialog')

/** Makes the forms that are opened from now on show the settings of the page, as for a user who left them open. */
export const keepSettingsOpen = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('etalage.editor.settings', 'open'))

/** Makes the forms that are opened from now on show the list of blocks instead of the visual editor, and the settings. */
export async function switchToBlockList(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('etalage.editor', 'list'))
  await keepSettingsOpen(page)
}

/** Opens the menu with more actions in the bar of the form, in Dutch or Persian. */
export async function openPageMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Meer acties|کارهای بیشتر)$/ }).click()
}

/** Chooses an action from the menu with more actions. */
export async function chooseFromMenu(page: Page, name: string): Promise<void> {
  await openPageMenu(page)
  await page.getByRole('menuitem', { name, exact: true }).click()
}
