import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DraftText } from '../../src/contract/pages.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { aBrowser } from '../support/browser.ts'
import { aCtaBlock, canvasOf, selectedBlockForm } from '../support/canvas.ts'
import { aColleague } from '../support/colleague.ts'
import { isFocused } from '../support/keyboard.ts'
import {
  aSavedPage,
  chooseFromMenu,
  descriptionField,
  draftOf,
  draftQuestion,
  getPageIn,
  openForm,
  openPageMenu,
  returnToTab,
  saveForm,
  savePage,
  switchToBlockList,
  titleField,
} from '../support/page-editor.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
const rik = { email: 'rik@example.nl', password: 'geheim-rik' }
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await site.addUser({ name: 'Rik', ...rik, roleId: 3 })
})

async function staff(id: number) {
  const page = await visitor(site.url)
  await switchToBlockList(page)
  await signInByApi(page)
  await openForm(page, id)
  return page
}

/** A draft that the administrator stores on another device: to the form it is one of another tab. */
async function aDraft(id: number, changes: Partial<DraftText>): Promise<void> {
  const { text, version: baseVersion, draftRevision: revision } = await getPageIn(site, id)
  await site.call('PUT', `/api/pages/${id}/nl/draft`, { text: { ...text, ...changes }, baseVersion, revision })
}

const autosaved = (page: Page) => page.getByText('Form autosaved', { exact: true }).waitFor()
const titleOfDraft = async (id: number) => (await draftOf(site, id))?.text.title

/** A closed tab takes a moment to give up its draft. */
async function untilGivenUp(other: Page): Promise<void> {
  await other.goto('/')
  await expect.poll(() => other.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(0)
}

async function leaveForPages(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Pagina’s' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Pagina’s' }).waitFor()
}

/** The form needs a moment before it is known whether it asks a question. */
async function expectNoQuestion(page: Page): Promise<void> {
  await titleField(page).waitFor()
  await expect.poll(() => draftQuestion(page).count()).toBe(0)
}

describe('spec 4', () => {
  test('spec 4: the page form is autosaved, with the message ‘Form autosaved’; the draft asks ‘There is a concept available from {date}. Do you want to load it?’, and accepting loads it', async () => {
    const id = await aSavedPage(site, 'Een concept')
    const page = await staff(id)
    await titleField(page).fill('Een concept dat wacht')
    await autosaved(page)
    await page.reload()
    const { savedAt = '' } = (await getPageIn(site, id)).draft ?? {}
    const date = new Intl.DateTimeFormat('nl-NL', { day: 'numeric', month: 'short', year: 'numeric' })
    const time = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'short' })
    const at = new Date(savedAt)
    await draftQuestion(page)
      .getByText(`There is a concept available from ${date.format(at)}, ${time.format(at)}. Do you want to load it?`)
      .waitFor()
    const offCentre = () =>
      draftQuestion(page).evaluate((one) => {
        const { left, right } = one.getBoundingClientRect()
        return Math.abs((left + right) / 2 - document.documentElement.clientWidth / 2)
      })
    await expect.poll(offCentre, { message: 'the question is in the middle' }).toBeLessThan(1)
    const load = draftQuestion(page).getByRole('button', { name: 'Concept laden' })
    await expect.poll(() => load.evaluate((button) => button === document.activeElement)).toBe(true)
    await load.click()
    await expect.poll(() => titleField(page).inputValue()).toBe('Een concept dat wacht')
    await page.getByRole('button', { name: 'Opslaan', exact: true }).click()
    await page.getByText('Pagina is opgeslagen!').waitFor()
    await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe('Een concept dat wacht')
    await expect.poll(() => draftOf(site, id)).toBeUndefined()
    await page.reload()
    await expectNoQuestion(page)
  })

  test('spec 4: declining keeps the saved text and the draft, which the preview names, and which can be loaded later or discarded', async () => {
    const id = await aSavedPage(site, 'Liever niet')
    const page = await staff(id)
    await titleField(page).fill('Liever niet meer')
    await autosaved(page)
    const preview = page.getByRole('button', { name: 'Voorbeeld', exact: true })
    const says = page.getByText('Het voorbeeld toont uw concept, dat u niet hebt geladen')
    await preview.click()
    await page.getByLabel('Link naar het voorbeeld').waitFor()
    await expect.poll(() => says.count()).toBe(0)
    await page.reload()
    await draftQuestion(page).getByRole('button', { name: 'Niet laden' }).click()
    await expect.poll(() => titleField(page).inputValue()).toBe('Liever niet')
    await expect.poll(() => titleOfDraft(id)).toBe('Liever niet meer')
    await page.getByText('staat nog klaar').waitFor()
    await preview.click()
    await says.waitFor()
    await page.reload()
    await draftQuestion(page).press('Escape')
    await expect.poll(() => isFocused(page.locator('main div').filter({ hasText: 'staat nog klaar' }))).toBe(true)
    await page.getByRole('button', { name: 'Concept weggooien' }).click()
    await page.getByText('Het concept is weggegooid.').hover()
    await expect.poll(() => draftOf(site, id)).toBeUndefined()
    // The undo.
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => titleField(page).inputValue()).toBe('Liever niet meer')
    await expect.poll(() => titleOfDraft(id)).toBe('Liever niet meer')

    const discard = async () => {
      await chooseFromMenu(page, 'Concept weggooien')
      await page.getByText('Het concept is weggegooid.').hover()
      await expect.poll(() => draftOf(site, id)).toBeUndefined()
      await leaveForPages(page)
    }
    await discard()
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => titleField(page).inputValue()).toBe('Liever niet meer')
    await expect.poll(() => titleOfDraft(id)).toBe('Liever niet meer')
    await expectNoQuestion(page)

    await discard()
    await goToScreen(page, `/admin/pages/${id}/nl`)
    await descriptionField(page).fill('Daarna getypt')
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => titleField(page).inputValue()).toBe('Liever niet meer')
    await expect
      .poll(async () => (await draftOf(site, id))?.text)
      .toMatchObject({ title: 'Liever niet meer', description: 'Daarna getypt' })

    await chooseFromMenu(page, 'Concept weggooien')
    await page.getByText('Het concept is weggegooid.').hover()
    await expect.poll(() => draftOf(site, id)).toBeUndefined()
    await titleField(page).fill('Intussen getypt')
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => titleField(page).inputValue()).toBe('Liever niet meer')
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => titleField(page).inputValue(), { message: 'what was typed' }).toBe('Intussen getypt')
  })
})

test('undo of a discarded draft from another screen offers back what was typed on another device since', async () => {
  const id = await aSavedPage(site, 'Twee keer bedacht')
  const page = await staff(id)
  await titleField(page).fill('Eerst bedacht')
  await autosaved(page)
  await chooseFromMenu(page, 'Concept weggooien')
  await page.getByText('Het concept is weggegooid.').hover()
  await expect.poll(() => draftOf(site, id)).toBeUndefined()
  await leaveForPages(page)
  await aDraft(id, { title: 'Later bedacht', description: 'Ook later' })

  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await expect.poll(() => titleField(page).inputValue()).toBe('Eerst bedacht')
  expect(await descriptionField(page).inputValue()).toBe('Ook later')
  await page.getByText('vervangt wat u op dezelfde plekken typte').hover()
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await expect.poll(() => titleField(page).inputValue()).toBe('Later bedacht')
  await expect
    .poll(async () => (await draftOf(site, id))?.text)
    .toMatchObject({ title: 'Later bedacht', description: 'Ook later' })
})

test('nothing can be typed before the question about a draft is loaded, because an autosave would replace the draft', async () => {
  const id = await aSavedPage(site, 'Een traag netwerk')
  await aDraft(id, { title: 'Uit het concept' })
  const page = await visitor(site.url)
  await switchToBlockList(page)
  await signInByApi(page)
  const requested = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/draft-question-*.js', async (route) => {
    requested.resolve()
    await released.promise
    await route.continue()
  })
  await page.goto(`/admin/pages/${id}/nl`)
  await requested.promise
  // A form that does not wait would be on the screen by then.
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
  expect(await titleField(page).count()).toBe(0)
  released.resolve()
  await draftQuestion(page).getByRole('button', { name: 'Concept laden' }).click()
  await expect.poll(() => titleField(page).inputValue()).toBe('Uit het concept')
})

test('a draft that is loaded after declining it with Escape keeps what was typed meanwhile and could not be stored', async () => {
  allowErrors(/status of 503/)
  const id = await aSavedPage(site, 'Toch laden')
  await aDraft(id, { title: 'Een lange titel', description: 'Uit het concept' })
  const page = await staff(id)
  await draftQuestion(page).press('Escape')
  await draftQuestion(page).waitFor({ state: 'detached' })
  expect(await titleField(page).inputValue()).toBe('Toch laden')
  await page.route('**/draft', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  )
  await titleField(page).fill('Daarna getypt')
  await page.getByText('Form autosaved', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Concept laden' }).click()
  await expect.poll(() => descriptionField(page).inputValue()).toBe('Uit het concept')
  expect(await titleField(page).inputValue()).toBe('Een lange titel')
  await page.getByText('vervangt wat u op dezelfde plekken typte').hover()
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await expect.poll(() => titleField(page).inputValue()).toBe('Daarna getypt')
  expect(await descriptionField(page).inputValue()).toBe('Uit het concept')
  await page.unroute('**/draft')
  await returnToTab(page)
  await expect
    .poll(async () => (await draftOf(site, id))?.text)
    .toMatchObject({ title: 'Daarna getypt', description: 'Uit het concept' })
})

/** Changes the title of the selected block, whose undo leads back to this text of the canvas and no further. */
async function undoChangeBackTo(page: Page, text: string): Promise<void> {
  const undo = undoButton(page)
  await selectedBlockForm(page).getByLabel('Titel', { exact: true }).fill('Gewijzigd')
  await canvasOf(page).getByText('Gewijzigd').waitFor()
  await expect.poll(() => undo.isEnabled(), { message: 'the change is a step' }).toBe(true)
  await undo.click()
  await canvasOf(page).getByText(text).waitFor()
  await expect.poll(() => undo.isEnabled()).toBe(false)
}
const undoButton = (page: Page) =>
  page.getByRole('toolbar').getByRole('button', { name: 'Ongedaan maken', exact: true })

test('undo right after loading a draft does not empty a page that was saved empty, and later goes back to the draft', async () => {
  const id = await aSavedPage(site, 'Nog leeg', { body: [] })
  const body = [aCtaBlock('Uit het concept', 'a')]
  await aDraft(id, { body: body as never })
  const page = await visitor(site.url)
  await signInByApi(page)
  await openForm(page, id)
  const canvas = canvasOf(page)
  await canvas.getByText('Voeg het eerste blok toe').waitFor()
  await draftQuestion(page).getByRole('button', { name: 'Concept laden' }).click()
  await canvas.getByText('Uit het concept').click()
  await undoButton(page).press('Enter')
  await undoChangeBackTo(page, 'Uit het concept')
  await undoButton(page).press('Enter')
  await canvas.getByText('Uit het concept').waitFor()
  await expect.poll(async () => (await draftOf(site, id))?.text.body).toMatchObject(body)
})

test('undo does not remove what was saved elsewhere while the text here was unchanged', async () => {
  const id = await aSavedPage(site, 'Elders bewaard', { body: [] })
  const page = await visitor(site.url)
  await signInByApi(page)
  await openForm(page, id)
  const canvas = canvasOf(page)
  await canvas.getByText('Voeg het eerste blok toe').waitFor()
  await savePage(site, await getPageIn(site, id), { body: [aCtaBlock('Elders geschreven', 'a')] as never })
  await returnToTab(page)
  await canvas.getByText('Elders geschreven').click()
  await undoChangeBackTo(page, 'Elders geschreven')
})

test('opening a page and leaving it creates no draft; after a change the draft survives', async () => {
  const id = await aSavedPage(site, 'Even weg')
  const page = await staff(id)
  await titleField(page).focus()
  await page.keyboard.press('Tab')
  await leaveForPages(page)
  await expect.poll(() => draftOf(site, id)).toBeUndefined()
  await page.goBack()
  await expectNoQuestion(page)
  await titleField(page).fill('Even weg en terug')
  await leaveForPages(page)
  await expect.poll(() => titleOfDraft(id)).toBe('Even weg en terug')
  await page.goBack()
  await draftQuestion(page).getByRole('button', { name: 'Concept laden' }).click()
  await expect.poll(() => titleField(page).inputValue()).toBe('Even weg en terug')
})

test('opening a page in the visual editor, which renders it again, creates no draft', async () => {
  const body = [aCtaBlock('Bel ons', 'bel'), { type: 'line' }]
  const id = await aSavedPage(site, 'Alleen zien', { body: body as never })
  const page = await visitor(site.url)
  await signInByApi(page)
  await openForm(page, id)
  await canvasOf(page).getByText('Bel ons', { exact: true }).waitFor()
  await waitUntilLoaded(page)
  await leaveForPages(page)
  await expect.poll(() => draftOf(site, id)).toBeUndefined()
})

describe('a draft survives', () => {
  test('a closed tab, also within a second', async () => {
    const id = await aSavedPage(site, 'Dicht')
    const page = await staff(id)
    await titleField(page).fill('Dicht, maar niet weg')
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => titleOfDraft(id)).toBe('Dicht, maar niet weg')
  })

  test('a killed browser before the autosave: the copy is in the browser', async () => {
    allowErrors(/ERR_FAILED|Failed to load resource/)
    const id = await aSavedPage(site, 'Gecrasht')
    const page = await staff(id)
    // No request reaches the server from here, so the text can only come from the browser.
    await page.route('**/draft*', (route) => route.abort())
    await titleField(page).fill('Gecrasht, maar bewaard')
    await page.getByText('Uw concept is niet automatisch bewaard').first().waitFor()
    const tab = await page.context().newPage()
    // The page process is killed, as in a crash.
    await page.goto('chrome://crash', { timeout: 2_000 }).catch(() => {})
    await untilGivenUp(tab)
    await expect.poll(() => draftOf(site, id)).toBeUndefined()
    await tab.goto(`/admin/pages/${id}/nl`)
    await draftQuestion(tab).getByRole('button', { name: 'Concept laden' }).click()
    await expect.poll(() => titleField(tab).inputValue()).toBe('Gecrasht, maar bewaard')
    await expect.poll(() => titleOfDraft(id)).toBe('Gecrasht, maar bewaard')
  })

  test('a lost network: it is reported at once, the text is stored in the browser, and sent when the network is back', async () => {
    allowErrors(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    const id = await aSavedPage(site, 'Offline')
    const page = await staff(id)
    await page.context().setOffline(true)
    await titleField(page).fill('Offline getypt')
    await page.getByText('in deze browser bewaard en gaat niet verloren').waitFor()
    await page.getByText('De server is niet bereikbaar. Wij blijven het proberen.').waitFor()
    await descriptionField(page).fill('En dit ook.')
    await page.context().setOffline(false)
    await autosaved(page)
    await expect
      .poll(async () => (await draftOf(site, id))?.text)
      .toMatchObject({ title: 'Offline getypt', description: 'En dit ook.' })
    await expect.poll(() => page.getByText('niet automatisch bewaard').count()).toBe(0)
  })

  test('a lost network until the tab was closed: the draft is offered when the page is opened again, on a computer that is slow to grant its Web Lock', async () => {
    allowErrors(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    const id = await aSavedPage(site, 'Trein')
    const page = await staff(id)
    await page.context().setOffline(true)
    await titleField(page).fill('In de trein getypt')
    await page.getByText('in deze browser bewaard').waitFor()
    const tab = await page.context().newPage()
    await page.close()
    await tab.context().setOffline(false)
    await untilGivenUp(tab)
    await tab.addInitScript(() => {
      const { request } = LockManager.prototype
      LockManager.prototype.request = function (this: LockManager, ...all: unknown[]) {
        const { signal } = all[1] as LockOptions
        if (!signal) return request.apply(this, all as never)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      } as typeof request
    })
    await tab.goto(`/admin/pages/${id}/nl`)
    await draftQuestion(tab).getByRole('button', { name: 'Concept laden' }).click()
    await expect.poll(() => titleField(tab).inputValue()).toBe('In de trein getypt')
    // The closing tab may have sent it after all: then nothing is sent, and nothing said, after loading it.
    await expect.poll(() => titleOfDraft(id)).toBe('In de trein getypt')
  })

  test('a tab that was closed before the server answered, and is not offered again once the page was saved with it', async () => {
    const id = await aSavedPage(site, 'Zonder antwoord')
    const page = await staff(id)
    await page.route('**/draft', (route) => void route.fetch())
    await descriptionField(page).fill('Getypt en gesloten')
    await expect.poll(async () => (await draftOf(site, id))?.text.description).toBe('Getypt en gesloten')
    const tab = await page.context().newPage()
    await page.close()
    await untilGivenUp(tab)
    await tab.goto(`/admin/pages/${id}/nl`)
    await draftQuestion(tab).getByRole('button', { name: 'Concept laden' }).click()
    await descriptionField(tab).fill('Daarna verbeterd')
    await saveForm(tab)
    await leaveForPages(tab)
    await openForm(tab, id)
    await expectNoQuestion(tab)
    await expect.poll(() => descriptionField(tab).inputValue()).toBe('Daarna verbeterd')
  })

  test('an expired session: it is reported, no dialog interrupts typing, and the draft is sent after signing in', async () => {
    allowErrors(/status of 401/)
    const id = await aSavedPage(site, 'Sessie')
    const page = await staff(id)
    await page.context().clearCookies()
    await titleField(page).fill('Sessie voorbij')
    await page.getByText('Uw sessie is afgelopen.').waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await titleField(page).pressSequentially(' en verder')
    await page.getByRole('button', { name: 'Opnieuw inloggen' }).click()
    await page.getByLabel('Wachtwoord', { exact: true }).fill(administrator.password)
    await page.getByRole('button', { name: 'Doorgaan' }).click()
    await autosaved(page)
    await expect.poll(() => titleOfDraft(id)).toBe('Sessie voorbij en verder')
  })

  test('a sign-out, but is hidden from another user who signs in at the same browser', async () => {
    allowErrors(/ERR_FAILED|Failed to load resource/)
    const id = await aSavedPage(site, 'Van Bente')
    const page = await staff(id)
    await page.route('**/draft*', (route) => route.abort())
    await titleField(page).fill('Geheim van Bente')
    await page.getByText('in deze browser bewaard').waitFor()
    const tab = await page.context().newPage()
    await page.close()
    await signInByApi(tab, rik)
    await openForm(tab, id)
    await expectNoQuestion(tab)
    await expect.poll(() => titleField(tab).inputValue()).toBe('Van Bente')
    await signInByApi(tab)
    await tab.reload()
    await draftQuestion(tab).getByRole('button', { name: 'Concept laden' }).click()
    await expect.poll(() => titleField(tab).inputValue()).toBe('Geheim van Bente')
  })

  test('another user who signs in in another tab, just before the typing began or while the network is lost, and is never sent as that user', async () => {
    allowErrors(/status of 401|ERR_FAILED|Failed to load resource/)
    const id = await aSavedPage(site, 'Ook van Bente')
    const page = await staff(id)
    const tab = await page.context().newPage()
    const expectNotSentAsRik = async () => {
      await page.getByText('Uw sessie is afgelopen.').waitFor()
      expect((await tab.request.get(`/api/pages/${id}/nl/draft`)).status()).toBe(404)
    }
    const retry = () => page.evaluate(() => dispatchEvent(new Event('online')))
    await signInByApi(tab, rik)
    await titleField(page).fill('Getypt door Bente')
    await expectNotSentAsRik()
    await signInByApi(tab)
    await retry()
    await autosaved(page)
    await expect.poll(() => titleOfDraft(id)).toBe('Getypt door Bente')

    await page.route('**/draft*', (route) => route.abort())
    await titleField(page).fill('Verder getypt door Bente')
    await page.getByText('De server is niet bereikbaar.').waitFor()
    await signInByApi(tab, rik)
    await page.unroute('**/draft*')
    await retry()
    await expectNotSentAsRik()
    await signInByApi(tab)
    await retry()
    await autosaved(page)
    await expect.poll(() => titleOfDraft(id)).toBe('Verder getypt door Bente')
  })
})

describe('what was saved meanwhile stays, when the form', () => {
  const seoTitleField = (page: Page) => page.locator('[data-page-field="seoTitle"] input')
  const sanne = { email: 'sanne@example.nl', password: 'geheim-sanne' }
  let saveAsSanne: Awaited<ReturnType<typeof aColleague>>
  beforeAll(async () => {
    await site.addUser({ name: 'Sanne', ...sanne, roleId: 2 })
    saveAsSanne = await aColleague(site, sanne)
  })
  const save = saveForm

  test('was merged with a draft from another tab that is older than the save of a colleague', async () => {
    allowErrors(/status of 409/)
    const id = await aSavedPage(site, 'Voor de collega')
    const page = await staff(id)
    const tab = await page.context().newPage()
    await switchToBlockList(tab)
    await openForm(tab, id)
    await descriptionField(tab).fill('Van het tweede tabblad')
    await autosaved(tab)
    await saveAsSanne(id, { title: 'Van Sanne' })
    await returnToTab(page)
    await expect.poll(() => titleField(page).inputValue()).toBe('Van Sanne')
    await seoTitleField(page).fill('Van het eerste tabblad')
    await expect.poll(() => descriptionField(page).inputValue()).toBe('Van het tweede tabblad')
    await page.getByText('Sanne heeft deze pagina intussen opgeslagen').waitFor()
    await save(page)
    await page.getByText('Ook de wijzigingen van Sanne staan erin.').waitFor()
    const all = { title: 'Van Sanne', seoTitle: 'Van het eerste tabblad', description: 'Van het tweede tabblad' }
    await expect.poll(async () => (await getPageIn(site, id)).text).toMatchObject(all)
    await expect.poll(() => titleField(page).inputValue()).toBe('Van Sanne')
  })

  test('was untouched; a declined draft is still offered', async () => {
    const id = await aSavedPage(site, 'Afgewezen concept')
    await aDraft(id, { description: 'Uit het concept' })
    const page = await staff(id)
    await draftQuestion(page).getByRole('button', { name: 'Niet laden' }).click()
    await saveAsSanne(id, { title: 'Van Sanne' })
    await returnToTab(page)
    await expect.poll(() => titleField(page).inputValue()).toBe('Van Sanne')
    await page.getByRole('button', { name: 'Concept laden' }).click()
    await expect.poll(() => descriptionField(page).inputValue()).toBe('Uit het concept')
  })

  test('was discarded, and its undo comes from another screen', async () => {
    allowErrors(/status of 409/)
    const id = await aSavedPage(site, 'Weggegooid')
    const page = await staff(id)
    await descriptionField(page).fill('Toch bewaren')
    await autosaved(page)
    await saveAsSanne(id, { title: 'Van Sanne' })
    await returnToTab(page)
    await page.getByText('Sanne heeft deze pagina intussen opgeslagen').waitFor()
    await chooseFromMenu(page, 'Concept weggooien')
    await page.getByText('Het concept is weggegooid.').hover()
    await expect.poll(() => draftOf(site, id)).toBeUndefined()
    await leaveForPages(page)
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => descriptionField(page).inputValue()).toBe('Toch bewaren')
    await expect.poll(async () => (await draftOf(site, id))?.text).toMatchObject({ description: 'Toch bewaren' })
    await save(page)
    const both = { title: 'Van Sanne', description: 'Toch bewaren' }
    await expect.poll(async () => (await getPageIn(site, id)).text).toMatchObject(both)
  })

  test('was merged with a draft from another tab that is older than its own save', async () => {
    allowErrors(/status of 409/)
    const id = await aSavedPage(site, 'Voor het opslaan')
    const page = await staff(id)
    await aDraft(id, { description: 'Van het tweede tabblad' })
    // What is typed is saved before it is a draft, however long that takes.
    await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? undefined : route.continue()))
    await titleField(page).fill('Net opgeslagen')
    await page.keyboard.press('Control+s')
    await page.getByText('Pagina is opgeslagen!').waitFor()
    await page.unroute('**/draft')
    await seoTitleField(page).fill('Daarna getypt')
    await expect.poll(() => descriptionField(page).inputValue()).toBe('Van het tweede tabblad')
    await save(page)
    await page.getByText('Ook wat u op een ander tabblad opsloeg, staat erin.').waitFor()
    const all = { title: 'Net opgeslagen', seoTitle: 'Daarna getypt', description: 'Van het tweede tabblad' }
    await expect.poll(async () => (await getPageIn(site, id)).text).toMatchObject(all)
  })

  test('is saved while text of another tab waits behind the focused field', async () => {
    allowErrors(/status of 409/)
    const id = await aSavedPage(site, 'Achter de cursor')
    const page = await staff(id)
    await aDraft(id, { description: 'Van het tweede tabblad' })
    // Until the focus is in the field, nothing of the other tab is heard.
    const focused = Promise.withResolvers<void>()
    await page.route('**/draft', async (route) => {
      await focused.promise
      await route.continue()
    })
    await titleField(page).fill('Achter de cursor getypt')
    await descriptionField(page).focus()
    focused.resolve()
    await expect
      .poll(async () => (await draftOf(site, id))?.text)
      .toMatchObject({ title: 'Achter de cursor getypt', description: 'Van het tweede tabblad' })
    await expect.poll(() => descriptionField(page).inputValue()).toBe('')
    await page.keyboard.press('Control+s')
    await page.getByText('Pagina is opgeslagen!').waitFor()
    await expect.poll(() => descriptionField(page).inputValue()).toBe('Van het tweede tabblad')
    await openPageMenu(page)
    await expect.poll(() => page.getByRole('menuitem', { name: 'Kopie maken' }).count()).toBe(1)
    await expect
      .poll(() => page.getByRole('menuitem', { name: 'Concept weggooien' }).count(), { message: 'nothing is unsaved' })
      .toBe(0)
    await expect.poll(async () => (await getPageIn(site, id)).text.description).toBe('Van het tweede tabblad')
  })

  test('keeps its text while an older draft is discarded', async () => {
    const id = await aSavedPage(site, 'Na het weggooien')
    await aDraft(id, { description: 'Een oud concept' })
    const page = await staff(id)
    await draftQuestion(page).getByRole('button', { name: 'Niet laden' }).click()
    // While no draft can be sent, the question stays.
    await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? undefined : route.continue()))
    await seoTitleField(page).fill('Hier getypt')
    await saveAsSanne(id, { title: 'Van Sanne' })
    await returnToTab(page)
    await page.getByText('Sanne heeft deze pagina intussen opgeslagen').waitFor()
    await page.getByRole('button', { name: 'Concept weggooien' }).first().click()
    await page.getByText('Het concept is weggegooid.').waitFor()
    await expect.poll(() => seoTitleField(page).inputValue()).toBe('Hier getypt')
    await save(page)
    await page.getByText('Ook de wijzigingen van Sanne staan erin.').waitFor()
    await expect
      .poll(async () => (await getPageIn(site, id)).text)
      .toMatchObject({ title: 'Van Sanne', seoTitle: 'Hier getypt' })
  })

  test('is published with the choices about a conflict, also after saving by keyboard was tried meanwhile', async () => {
    allowErrors(/status of 409/)
    const id = await aSavedPage(site, 'Allebei')
    const page = await staff(id)
    await titleField(page).fill('Hier getypt')
    await saveAsSanne(id, { title: 'Van Sanne' })
    await page.getByRole('button', { name: 'Opslaan en publiceren' }).click()
    const dialog = page.getByRole('dialog', { name: 'U hebt allebei hetzelfde gewijzigd' })
    await dialog.waitFor()
    const saves: string[] = []
    // Saves of the page, apart from those of its draft.
    page.on(
      'request',
      (request) => request.method() === 'PUT' && /\/nl$/.test(request.url()) && saves.push(request.url()),
    )
    await page.keyboard.press('Control+s')
    await dialog.getByRole('button', { name: 'Opslaan met deze keuzes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => getPageIn(site, id)).toMatchObject({ state: 'published', text: { title: 'Hier getypt' } })
    expect(saves).toHaveLength(1)
  })

  test('was discarded and brought back after a colleague saved', async () => {
    const id = await aSavedPage(site, 'Weg en terug')
    const page = await staff(id)
    await seoTitleField(page).fill('Hier getypt')
    await autosaved(page)
    await saveAsSanne(id, { title: 'Van Sanne' })
    await returnToTab(page)
    await page.getByText('Sanne heeft deze pagina intussen opgeslagen').waitFor()
    await openPageMenu(page)
    await page.getByRole('menuitem', { name: 'Concept weggooien' }).click()
    await page.getByText('Het concept is weggegooid.').hover()
    await expect.poll(() => titleField(page).inputValue()).toBe('Van Sanne')
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => seoTitleField(page).inputValue()).toBe('Hier getypt')
    await save(page)
    await expect
      .poll(async () => (await getPageIn(site, id)).text)
      .toMatchObject({ title: 'Van Sanne', seoTitle: 'Hier getypt' })
  })
})

test('a server that is killed while it saves: nothing is lost, and the draft is sent when the server is back', async () => {
  allowErrors(/ERR_CONNECTION|Failed to load resource/)
  const id = await aSavedPage(site, 'Gestopt')
  const page = await staff(id)
  let killed: Promise<void> | undefined
  await page.route('**/draft', (route) => {
    killed ??= site.kill()
    return route.continue()
  })
  await titleField(page).fill('Gestopt tijdens het bewaren')
  await page.getByText('De server is niet bereikbaar. Wij blijven het proberen.').waitFor()
  await killed
  await site.start()
  // It also tries again by itself.
  const again = page.getByRole('button', { name: 'Opnieuw proberen' })
  await again.click({ timeout: 2_000 }).catch(() => {})
  await autosaved(page)
  await expect.poll(() => titleOfDraft(id)).toBe('Gestopt tijdens het bewaren')
})
