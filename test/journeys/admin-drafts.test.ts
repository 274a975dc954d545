import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { aStaffedProgram, boss, enter, type StaffedProgram } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import {
  aSavedPage,
  byOutline,
  descriptionField,
  draftOf,
  openForm,
  question,
  savedIn,
  titleField,
} from '../support/drafts.ts'
import { allowErrors } from '../support/logged.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
beforeAll(async () => {
  site = await aStaffedProgram()
})

async function staff(id: number, more: { locale?: 'nl' | 'fa'; who?: { email: string; password: string } } = {}) {
  const page = await visitor(site.url)
  await byOutline(page)
  await enter(page, more.who)
  await openForm(page, id, more.locale)
  return page
}

/** The same browser, with the same store, and another tab in it. */
async function anotherTab(page: Page, id: number): Promise<Page> {
  const tab = await page.context().newPage()
  await byOutline(tab)
  await openForm(tab, id)
  return tab
}

const autosaved = (page: Page) => page.getByText('Form autosaved', { exact: true }).waitFor()
const titleOfDraft = async (id: number) => (await draftOf(site, id))?.text.title

/** Whether something is asked is known when the form has been there for a moment. */
async function expectNoQuestion(page: Page): Promise<void> {
  await titleField(page).waitFor()
  expect(await question(page).count()).toBe(0)
}

describe('spec 4', () => {
  test('spec 4: the page form is autosaved, with the message ‘Form autosaved’', async () => {
    const id = await aSavedPage(site, 'Wij bewaren vanzelf')
    const page = await staff(id)
    await titleField(page).fill('Wij bewaren vanzelf, ook dit')
    await autosaved(page)
    expect(await titleOfDraft(id)).toBe('Wij bewaren vanzelf, ook dit')
    expect((await savedIn(site, id)).text.title).toBe('Wij bewaren vanzelf')
  })

  test('spec 4: a draft asks ‘There is a concept available from {date}. Do you want to load it?’, and accepting loads it', async () => {
    const id = await aSavedPage(site, 'Een concept')
    const page = await staff(id)
    await titleField(page).fill('Een concept dat wacht')
    await autosaved(page)
    await page.reload()
    const { savedAt = '' } = (await savedIn(site, id)).draft ?? {}
    const date = new Intl.DateTimeFormat('nl-NL', { day: 'numeric', month: 'short', year: 'numeric' })
    const time = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'short' })
    const at = new Date(savedAt)
    await question(page)
      .getByText(`There is a concept available from ${date.format(at)}, ${time.format(at)}. Do you want to load it?`)
      .waitFor()
    await question(page).getByRole('button', { name: 'Concept laden' }).click()
    expect(await titleField(page).inputValue()).toBe('Een concept dat wacht')
    await page.getByRole('button', { name: 'Opslaan', exact: true }).click()
    await page.getByText('Pagina is opgeslagen!').waitFor()
    expect((await savedIn(site, id)).text.title).toBe('Een concept dat wacht')
    expect(await draftOf(site, id)).toBeUndefined()
    await page.reload()
    await expectNoQuestion(page)
  })

  test('spec 4: declining keeps what is saved and leaves the draft, which can be loaded later or thrown away', async () => {
    const id = await aSavedPage(site, 'Liever niet')
    const page = await staff(id)
    await titleField(page).fill('Liever niet meer')
    await autosaved(page)
    await page.reload()
    await question(page).getByRole('button', { name: 'Niet laden' }).click()
    expect(await titleField(page).inputValue()).toBe('Liever niet')
    expect(await titleOfDraft(id)).toBe('Liever niet meer')
    await page.getByText('staat nog klaar').waitFor()
    await page.reload()
    await question(page).press('Escape')
    await page.getByRole('button', { name: 'Concept weggooien' }).click()
    await page.getByText('Het concept is weggegooid.').waitFor()
    expect(await draftOf(site, id)).toBeUndefined()
    // The way back.
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    expect(await titleField(page).inputValue()).toBe('Liever niet meer')
    await expect.poll(() => titleOfDraft(id)).toBe('Liever niet meer')
  })

  test('spec 4: in Persian the same is asked and said in Persian', async () => {
    await site.addUser({
      name: 'رویا مرادی',
      email: 'roya@example.nl',
      password: 'geheim-roya',
      roleId: 2,
      locale: 'fa',
    })
    const id = await aSavedPage(site, 'Ook in het Perzisch')
    const who = { email: 'roya@example.nl', password: 'geheim-roya' }
    const page = await staff(id, { locale: 'fa', who })
    await page.getByRole('button', { name: 'آغاز با رونوشتی از متن هلندی' }).click()
    // What is typed before the copy has come stays.
    await titleField(page).fill('درباره ما')
    await page.getByRole('button', { name: /Welkom bij ons/ }).waitFor()
    await page.getByText('فرم خودکار ذخیره شد').waitFor()
    await page.reload()
    await question(page).getByText('پیش‌نویسی از').waitFor()
    await question(page).getByRole('button', { name: 'بارگذاری پیش‌نویس' }).click()
    expect(await titleField(page).inputValue()).toBe('درباره ما')
    // It is hers alone.
    expect(await draftOf(site, id, 'fa')).toBeUndefined()
  })
})

test('opening a page without a change makes no draft', async () => {
  const id = await aSavedPage(site, 'Alleen kijken')
  const page = await staff(id)
  await titleField(page).focus()
  await page.keyboard.press('Tab')
  await page.reload()
  await expectNoQuestion(page)
  await page.getByRole('link', { name: 'Pagina’s' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Pagina’s' }).waitFor()
  expect(await draftOf(site, id)).toBeUndefined()
})

test('nor does opening it in the visual editor, which draws it anew', async () => {
  const id = await aSavedPage(site, 'Alleen zien')
  const page = await visitor(site.url)
  await enter(page)
  await openForm(page, id)
  await page.frameLocator('[data-page-field="body"] iframe').getByText('Welkom bij ons.').waitFor()
  await page.getByRole('link', { name: 'Pagina’s' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Pagina’s' }).waitFor()
  expect(await draftOf(site, id)).toBeUndefined()
})

describe('a draft survives', () => {
  test('a closed tab, also when it is closed before a second has gone by', async () => {
    const id = await aSavedPage(site, 'Dicht')
    const page = await staff(id)
    await titleField(page).fill('Dicht, maar niet weg')
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => titleOfDraft(id)).toBe('Dicht, maar niet weg')
  })

  test('a screen that is left for another one', async () => {
    const id = await aSavedPage(site, 'Even weg')
    const page = await staff(id)
    await titleField(page).fill('Even weg en terug')
    await page.getByRole('link', { name: 'Pagina’s' }).last().click()
    await page.getByRole('heading', { level: 1, name: 'Pagina’s' }).waitFor()
    await expect.poll(() => titleOfDraft(id)).toBe('Even weg en terug')
    await page.goBack()
    await question(page).getByRole('button', { name: 'Concept laden' }).click()
    expect(await titleField(page).inputValue()).toBe('Even weg en terug')
  })

  test('a browser that is killed before the server heard of it: it lies in the browser', async () => {
    allowErrors(/ERR_FAILED|Failed to load resource/)
    const id = await aSavedPage(site, 'Gecrasht')
    const page = await staff(id)
    // Nothing reaches the server any more: what comes back can only have been kept here.
    await page.route('**/draft*', (route) => route.abort())
    await titleField(page).fill('Gecrasht, maar bewaard')
    await page.getByText('Uw concept is niet automatisch bewaard').first().waitFor()
    const tab = await page.context().newPage()
    // The process of the page ends without a word, as in a crash.
    await page.goto('chrome://crash', { timeout: 2_000 }).catch(() => {})
    expect(await draftOf(site, id)).toBeUndefined()
    await tab.goto(`/admin/pages/${id}/nl`)
    await question(tab).getByRole('button', { name: 'Concept laden' }).click()
    expect(await titleField(tab).inputValue()).toBe('Gecrasht, maar bewaard')
    await autosaved(tab)
    expect(await titleOfDraft(id)).toBe('Gecrasht, maar bewaard')
  })

  test('no network: it says so at once, keeps it here, and sends it when the network is back', async () => {
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
    const draft = await draftOf(site, id)
    expect(draft?.text).toMatchObject({ title: 'Offline getypt', description: 'En dit ook.' })
    expect(await page.getByText('niet automatisch bewaard').count()).toBe(0)
  })

  test('no network until the tab was closed: it is offered when the page is opened again', async () => {
    allowErrors(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    const id = await aSavedPage(site, 'Trein')
    const page = await staff(id)
    await page.context().setOffline(true)
    await titleField(page).fill('In de trein getypt')
    await page.getByText('in deze browser bewaard').waitFor()
    const tab = await page.context().newPage()
    await page.close()
    await tab.context().setOffline(false)
    await tab.goto(`/admin/pages/${id}/nl`)
    await question(tab).getByText('There is a concept available from').waitFor()
    await question(tab).getByRole('button', { name: 'Concept laden' }).click()
    expect(await titleField(tab).inputValue()).toBe('In de trein getypt')
    await autosaved(tab)
    expect(await titleOfDraft(id)).toBe('In de trein getypt')
  })

  test('a session that ended: it is said, nothing is opened over who types, and after signing in it is sent', async () => {
    allowErrors(/status of 401/)
    const id = await aSavedPage(site, 'Sessie')
    const page = await staff(id)
    await page.context().clearCookies()
    await titleField(page).fill('Sessie voorbij')
    await page.getByText('Uw sessie is afgelopen.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await titleField(page).pressSequentially(' en verder')
    await page.getByRole('button', { name: 'Opnieuw inloggen' }).click()
    await page.getByLabel('Wachtwoord', { exact: true }).fill(boss.password)
    await page.getByRole('button', { name: 'Doorgaan' }).click()
    await autosaved(page)
    expect(await titleOfDraft(id)).toBe('Sessie voorbij en verder')
  })

  test('somebody else who signs in at the same browser sees nothing of it', async () => {
    allowErrors(/ERR_FAILED|Failed to load resource/)
    await site.addUser({ name: 'Rik', email: 'rik@example.nl', password: 'geheim-rik', roleId: 3 })
    const id = await aSavedPage(site, 'Van Bente')
    const page = await staff(id)
    await page.route('**/draft*', (route) => route.abort())
    await titleField(page).fill('Geheim van Bente')
    await page.getByText('in deze browser bewaard').waitFor()
    const tab = await page.context().newPage()
    await page.close()
    await enter(tab, { email: 'rik@example.nl', password: 'geheim-rik' })
    await openForm(tab, id)
    await expectNoQuestion(tab)
    expect(await titleField(tab).inputValue()).toBe('Van Bente')
    await enter(tab)
    await tab.reload()
    await question(tab).getByRole('button', { name: 'Concept laden' }).click()
    expect(await titleField(tab).inputValue()).toBe('Geheim van Bente')
  })
})

describe('answers that are slow and come in another order', () => {
  test('overwrite nothing that was typed since', async () => {
    const id = await aSavedPage(site, 'Traag')
    const page = await staff(id)
    const held: Route[] = []
    await page.route('**/draft', async (route) => {
      if (route.request().method() !== 'PUT' || held.length > 0) return route.continue()
      held.push(route)
    })
    await titleField(page).fill('Traag een')
    await expect.poll(() => held.length).toBe(1)
    await titleField(page).fill('Traag een twee')
    // Who leaves the tab sends beside what is under way; its answer comes first.
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    await expect.poll(() => titleOfDraft(id)).toBe('Traag een twee')
    await autosaved(page)
    const late = page.waitForResponse((response) => response.url().endsWith('/draft'))
    await held[0]?.continue()
    await late
    expect(await titleField(page).inputValue()).toBe('Traag een twee')
    expect(await titleOfDraft(id), 'the late request changed nothing').toBe('Traag een twee')
    await descriptionField(page).fill('Daarna')
    await expect.poll(async () => (await draftOf(site, id))?.text.description).toBe('Daarna')
    expect(await titleOfDraft(id)).toBe('Traag een twee')
  })

  test('a draft that comes after the page was saved does not come back', async () => {
    const id = await aSavedPage(site, 'Te laat')
    const page = await staff(id)
    const held: Route[] = []
    await page.route('**/draft', (route) => void held.push(route))
    await titleField(page).fill('Te laat bewaard')
    await expect.poll(() => held.length).toBe(1)
    await page.getByRole('button', { name: 'Opslaan', exact: true }).click()
    await page.getByText('Pagina is opgeslagen!').waitFor()
    await held[0]?.continue().catch(() => {})
    await page.unrouteAll()
    await page.reload()
    await expectNoQuestion(page)
    expect(await draftOf(site, id)).toBeUndefined()
  })
})

test('a second tab of one’s own is merged without a word, and the field with the cursor is not touched', async () => {
  const id = await aSavedPage(site, 'Twee tabbladen')
  const page = await staff(id)
  const tab = await anotherTab(page, id)
  await descriptionField(tab).fill('Van het tweede tabblad')
  await autosaved(tab)
  await titleField(page).fill('Van het eerste tabblad')
  await expect.poll(() => descriptionField(page).inputValue()).toBe('Van het tweede tabblad')
  await expect
    .poll(async () => (await draftOf(site, id))?.text)
    .toMatchObject({ title: 'Van het eerste tabblad', description: 'Van het tweede tabblad' })
  expect(await titleField(page).inputValue()).toBe('Van het eerste tabblad')
  expect(await page.getByText('ook open').count(), 'one is not somebody else').toBe(0)
})

test('a server that is killed while it saves: nothing is lost, and it is sent when it is back', async () => {
  allowErrors(/ERR_CONNECTION|Failed to load resource/)
  const own = await aStaffedProgram()
  const id = await aSavedPage(own, 'Gestopt')
  const page = await visitor(own.url)
  await byOutline(page)
  await enter(page)
  await openForm(page, id)
  let killed: Promise<void> | undefined
  await page.route('**/draft', (route) => {
    killed ??= own.kill()
    return route.continue()
  })
  await titleField(page).fill('Gestopt tijdens het bewaren')
  await page.getByText('De server is niet bereikbaar. Wij blijven het proberen.').waitFor()
  await killed
  await own.start()
  await page.getByRole('button', { name: 'Opnieuw proberen' }).click()
  await autosaved(page)
  await page.reload()
  await question(page).getByRole('button', { name: 'Concept laden' }).click()
  expect(await titleField(page).inputValue()).toBe('Gestopt tijdens het bewaren')
})
