import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '../../src/contract/messages.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  pressSave,
  signInAndOpen,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aMailbox, type Mailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { type PersonName, people } from '../support/people.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await aMailbox()
  site = await aProgramWithAdministrator({ SMTP_URL: mailbox.url, CONTACT_RATE: 'off' })
})

const aMessage = (name: PersonName, more?: Record<string, string>) =>
  sendMessage({ request: (path, init) => fetch(site.url + path, init) }, name, more)
const stored = (id: number) => site.call<Message>('GET', `/api/messages/${id}`)

/** The row of one message. */
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function staff(path: string): Promise<Page> {
  return signInAndOpen(await visitor(site.url), path)
}

test('a message is found, opened and read, and answered by mail in its thread', async () => {
  const before = mailbox.emails.length
  const id = await aMessage('sanne', { naam: 'Sanne Antwoordt' })
  await mailbox.received(before + 2)
  const page = await staff('/admin/messages')
  await page.getByText('na 365 dagen automatisch verwijderd').waitFor()
  await page.getByRole('searchbox').fill('sanne antwoordt')
  await page.waitForURL(/search=sanne\+antwoordt/)
  await rowOf(page, 'Sanne Antwoordt').getByRole('img', { name: 'Ongelezen' }).waitFor()

  await page.getByRole('link', { name: 'Sanne Antwoordt' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sanne Antwoordt' }).waitFor()
  await page.getByText('Wat kost een webwinkel voor een bakkerij').waitFor()
  await expect.poll(async () => (await stored(id)).readAt).not.toBeNull()
  await expect
    .poll(() => page.getByRole('link', { name: people.sanne.email }).getAttribute('href'))
    .toBe(`mailto:${people.sanne.email}`)
  await expect
    .poll(() => page.getByRole('link', { name: people.sanne.tel }).getAttribute('href'))
    .toBe('tel:+31612345678')

  const text = page.getByLabel('Tekst')
  await expect
    .poll(() => text.inputValue())
    .toMatch(/^Beste Sanne Antwoordt,\n+Met vriendelijke groet,\nbente\nMaaslicht$/)
  await page.getByRole('button', { name: 'Antwoord versturen' }).click()
  await page.getByText('Schrijf eerst uw antwoord.').waitFor()
  expect(mailbox.emails.length).toBe(before + 2)
  await text.fill('Beste Sanne,\n\nDat kan voor € 1.800.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Uw antwoord is onderweg.').waitFor()

  const email = (await mailbox.received(before + 3)).at(-1)
  expect(email?.to).toEqual([people.sanne.email])
  expect(email?.parsed.text).toContain('Dat kan voor € 1.800.')
  const thread = page.getByRole('listitem').filter({ hasText: 'Dat kan voor € 1.800.' })
  await thread.getByText('Verstuurd').waitFor()
  await page.getByText('Beantwoord', { exact: true }).first().waitFor()

  // A sent reply is not an unsaved change.
  await page.getByRole('link', { name: 'Berichten' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Berichten' }).waitFor()
})

test('a reply that a colleague sent meanwhile is shown before sending, and the typed text is kept', async () => {
  allowErrors(/status of 409/)
  const id = await aMessage('daan', { naam: 'Daan Tweemaal' })
  const page = await staff(`/admin/messages/${id}`)
  await page.getByLabel('Tekst').fill('Van mij')
  const { version } = await stored(id)
  await site.call('POST', `/api/messages/${id}/reply`, { text: 'Van een collega', version })

  await page.getByRole('button', { name: /ntwoord versturen/ }).click()
  await page.getByText('Een collega was u voor').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Van een collega' }).waitFor()
  await expect.poll(() => page.getByLabel('Tekst').inputValue()).toBe('Van mij')
  await expect.poll(async () => (await stored(id)).replies).toHaveLength(1)

  await page.getByRole('button', { name: 'Nog een antwoord versturen' }).click()
  await page.getByText('Uw antwoord is onderweg.').waitFor()
  await expect
    .poll(async () => (await stored(id)).replies.map(({ text }) => text))
    .toEqual(['Van een collega', 'Van mij'])
})

test('without a network a reply stays in its field, and is sent once when the network is back', async () => {
  allowErrors(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const id = await aMessage('roya', { naam: 'Roya Zondernet' })
  const page = await staff(`/admin/messages/${id}`)
  await page.getByLabel('Tekst').fill('Wij bellen u.')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Antwoord versturen' }).click()
  await page.getByText('Uw antwoord is niet verstuurd').waitFor()
  await expect.poll(() => page.getByLabel('Tekst').inputValue()).toBe('Wij bellen u.')

  // Leaving asks for confirmation.
  await page.getByRole('link', { name: 'Berichten' }).last().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Hier blijven' }).click()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Antwoord versturen' }).click()
  await page.getByText('Uw antwoord is onderweg.').waitFor()
  await expect.poll(async () => (await stored(id)).replies).toHaveLength(1)
})

test('a note is saved, and shown in the list; one that two users edit at once is a conflict: both versions are shown to choose from', async () => {
  allowErrors(/status of 409/)
  const id = await aMessage('roya', { naam: 'Roya Samen' })
  const page = await staff(`/admin/messages/${id}`)
  await page.getByRole('textbox', { name: 'Notitie' }).fill('Belt na 15:00\nزنگ بزنید')
  await pressSave(page, page.getByRole('button', { name: 'Opslaan' }), /^\/api\/messages\/\d+$/)
  await page.getByText('Notitie is opgeslagen.').waitFor()
  expect((await stored(id)).note).toBe('Belt na 15:00\nزنگ بزنید')

  await page.getByRole('textbox', { name: 'Notitie' }).fill('Van mij')
  await site.call('PUT', `/api/messages/${id}`, { note: 'Van een ander' })
  await page.getByRole('button', { name: 'Opslaan' }).click()
  const choice = page.getByRole('dialog', { name: 'Iemand anders was u voor' })
  await choice.getByRole('cell', { name: 'Van een ander' }).waitFor()
  await choice.getByRole('button', { name: 'Mijn versie opslaan' }).click()
  await expect.poll(async () => (await stored(id)).note).toBe('Van mij')

  await waitUntilLoaded(page)
  await goToScreen(page, '/admin/messages?search=samen')
  await rowOf(page, 'Roya Samen').getByRole('img', { name: 'Met notitie' }).waitFor()
})

describe('the list', () => {
  test('has tabs for unread, to be answered, answered and spam, in the URL', async () => {
    const spam = await aMessage('daan', { naam: 'Casino Royale', website: 'https://casino.example' })
    const page = await staff('/admin/messages')
    await page.getByRole('radio', { name: /^Spam/ }).check()
    await page.waitForURL(/view=spam/)
    await rowOf(page, 'Casino Royale').waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Casino Royale' }).click()
    await page.getByText('Een veld dat geen mens ziet, was ingevuld.').waitFor()
    await expect.poll(() => page.getByLabel('Tekst').count(), { message: 'spam is not answered' }).toBe(0)

    await page.getByRole('button', { name: 'Geen spam' }).click()
    await page.getByText('1 bericht staat weer in Postvak in.').hover()
    await page.getByLabel('Tekst').waitFor()
    await expect.poll(async () => (await stored(spam)).folder).toBe('inbox')
    await page.getByLabel('Tekst').fill('Een lange reactie')
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await page.getByText('1 bericht is naar de spam verplaatst.').waitFor()
    await page.getByRole('button', { name: 'Geen spam' }).click()
    await expect.poll(() => page.getByLabel('Tekst').inputValue()).toBe('Een lange reactie')
    await page.getByRole('button', { name: 'Naar de spam' }).click()
    await page.getByRole('button', { name: 'Geen spam' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Weggooien' }).click()
    await page.waitForURL(/view=spam/)
    await rowOf(page, 'Casino Royale').waitFor()
  })

  test('has bulk actions: mark, move with undo, and delete after confirmation', async () => {
    const ids = [
      await aMessage('roya', { naam: 'Tegelijk Een' }),
      await aMessage('roya', { naam: 'Tegelijk Twee' }),
      await aMessage('roya', { naam: 'Tegelijk Drie' }),
    ]
    const page = await staff('/admin/messages?search=tegelijk')
    const choose = async (...names: string[]) => {
      for (const name of names) await page.getByRole('checkbox', { name: `Tegelijk ${name} kiezen` }).check()
      await page.getByText(`${names.length} gekozen`).waitFor()
    }
    await choose('Een', 'Twee')
    await page.getByRole('button', { name: 'Als gelezen markeren' }).click()
    await page.getByText('2 berichten zijn gelezen.').waitFor()
    await choose('Een', 'Twee')
    await page.getByRole('button', { name: 'Als beantwoord markeren' }).click()
    await page.getByText('2 berichten zijn beantwoord.').waitFor()
    await rowOf(page, 'Tegelijk Een').getByText('Beantwoord').waitFor()

    await choose('Een', 'Twee', 'Drie')
    await page.getByRole('button', { name: 'Naar de spam', exact: true }).click()
    await page.getByText('3 berichten zijn naar de spam verplaatst.').hover()
    await page.getByText('Geen bericht gevonden').waitFor()
    await page.getByRole('button', { name: 'Ongedaan maken' }).last().click()
    await rowOf(page, 'Tegelijk Drie').waitFor()

    await choose('Een', 'Drie')
    await page.getByRole('button', { name: 'Verwijderen' }).click()
    const question = page.getByRole('alertdialog', { name: 'Weet u zeker dat u deze 2 inzendingen wilt verwijderen?' })
    await question.getByRole('button', { name: 'Annuleren' }).click()
    await expect.poll(async () => (await stored(ids[0] as number)).reference).toBe(ids[0])
    await page.getByRole('button', { name: 'Verwijderen' }).click()
    await question.getByRole('button', { name: 'Verwijderen' }).click()
    await page.getByText('2 berichten zijn verwijderd.').waitFor()
    await page.getByText('1–1 van 1').waitFor()
    await rowOf(page, 'Tegelijk Twee').waitFor()

    // In a list that is shown by a link nothing is chosen.
    await choose('Twee')
    await page.getByRole('navigation').getByRole('link', { name: 'Berichten' }).click()
    await expect.poll(() => page.getByText('1 gekozen').count()).toBe(0)
  })

  test('is exported as a file, and has an empty state with a hint, and an error state with a retry button', async () => {
    allowErrors(/ERR_FAILED/)
    await aMessage('roya', { naam: '=1+1' })
    const page = await staff('/admin/messages?search=%3D1')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exporteren (CSV)' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^berichten-\d{4}-\d\d-\d\d\.csv$/)
    expect(readFileSync(await file.path(), 'utf8')).toContain(`"'=1+1"`)

    await goToScreen(page, '/admin/messages?search=nietvindbaar&form=verwijderd')
    await expect.poll(() => page.getByLabel('Formulier').inputValue()).toBe('verwijderd')
    await page.getByRole('button', { name: 'Zoekopdracht wissen' }).last().click()
    await page.getByRole('rowheader').first().waitFor()
    await page.route(/\/api\/messages(\?|$)/, (route) => route.abort())
    await goToScreen(page, '/admin/messages?view=answered')
    await page.getByText('Dit is niet gelukt').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Opnieuw proberen' }).click()
    await page.getByRole('searchbox').waitFor()
  })
})

test('malicious input is shown as text, in the list and in the message, and nothing of it is a link', async () => {
  // It is in the spam: there is a link in the name.
  const evil = '<img src=x onerror="document.title=1"><a href="javascript:alert(1)">klik</a> https://evil.example'
  const id = await aMessage('roya', { naam: evil, tel: 'javascript:1', bericht: `${evil}\n\u202ekcalb` })
  const page = await staff(`/admin/messages?view=spam&search=${encodeURIComponent('evil.example')}`)
  await page.getByText(evil).first().waitFor()
  await goToScreen(page, `/admin/messages/${id}`)
  await page.getByRole('heading', { level: 1, name: evil }).waitFor()
  await expect.poll(() => page.locator('main img[src]').count()).toBe(0)
  const links = await page.locator('main a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(links).toEqual(['/admin/messages', `mailto:${people.roya.email}`, 'tel:1'])
})

test('a message is deleted after confirmation, and its URL gives not found', async () => {
  allowErrors(/status of 404/)
  const id = await aMessage('roya', { naam: 'Roya Weg' })
  const page = await staff(`/admin/messages/${id}`)
  await page.getByRole('button', { name: 'Verwijderen' }).click()
  const question = page.getByRole('alertdialog', { name: 'Weet u zeker dat u deze inzending wilt verwijderen?' })
  await question.getByRole('button', { name: 'Verwijderen' }).click()
  await page.getByText('1 bericht is verwijderd.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Berichten' }).waitFor()
  await openScreen(page, `/admin/messages/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
})

test('a user who may only read sees no action that would be refused', async () => {
  const { id: roleId } = await site.addRole('Lezer', ['messages.read'])
  await site.addUser({ name: 'Lies Lezer', email: 'lies@example.nl', password: 'geheim-lies', roleId })
  const id = await aMessage('roya', { naam: 'Roya Gelezen' })
  const page = await visitor(site.url)
  await signInByApi(page, { email: 'lies@example.nl', password: 'geheim-lies' })
  await openScreen(page, `/admin/messages/${id}`)
  await page.getByText('Ik wil een website voor mijn atelier.').waitFor()
  await expect.poll(async () => (await stored(id)).readAt).not.toBeNull()
  // The help beside the title is a button without text.
  const actions = (await page.locator('main').getByRole('button').allInnerTexts()).filter(Boolean)
  expect(actions).toEqual(['Als ongelezen markeren'])
})

test('by keyboard alone a message is opened, answered and closed', async () => {
  const id = await aMessage('daan', { naam: 'Daan Toetsen' })
  const page = await staff('/admin/messages?search=toetsen')
  await page.getByRole('searchbox').focus()
  const reach = async (name: string, role: 'link' | 'button' | 'textbox') => {
    const target = page.locator('main').getByRole(role, { name })
    for (let pressed = 0; pressed < 60; pressed++) {
      await page.keyboard.press('Tab')
      if (await target.evaluate((one) => one === document.activeElement).catch(() => false)) return
    }
    throw new Error(`Tab does not lead to ${name}`)
  }
  await reach('Daan Toetsen', 'link')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Daan Toetsen' }).waitFor()
  await waitUntilLoaded(page)
  await reach('Tekst', 'textbox')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Met de toetsen')
  await reach('Antwoord versturen', 'button')
  await page.keyboard.press('Enter')
  await page.getByText('Uw antwoord is onderweg.').waitFor()
  await expect.poll(async () => (await stored(id)).replies[0]?.text).toBe('Met de toetsen')
})
