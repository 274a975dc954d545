import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { databaseFile } from '../../src/platform/db/database.ts'
import { aStaffedProgram, enter, type StaffedProgram, show } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { aMailbox, type Mailbox } from '../support/mailbox.ts'
import { aStoredMessage } from '../support/messages.ts'
import { until } from '../support/until.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await aMailbox()
  site = await aStaffedProgram({ SMTP_URL: mailbox.url, CONTACT_RATE: 'off' })
})

async function staff(path: string) {
  const page = await visitor(site.url)
  await enter(page)
  await show(page, path)
  return page
}

test('what goes out is shown with where it is, and what a mail server said stands beside it', async () => {
  const before = mailbox.letters.length
  const request = (path: string, init: RequestInit) => fetch(site.url + path, init)
  const sent = await aStoredMessage({ request }, 'roya')
  await mailbox.received(before + 2)
  mailbox.refuse({ code: 550, message: 'Mailbox <script>full</script>' })
  await aStoredMessage({ request }, 'daan')
  const page = await staff('/admin/mail')
  await page.getByText('550 Mailbox <script>full</script>').first().waitFor()

  await page.getByRole('radio', { name: 'Verstuurd' }).check()
  await page.waitForURL(/state=sent/)
  await page
    .getByRole('link', { name: `Bericht ${sent}` })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Roya Karimi' }).waitFor()

  // By itself it goes out once the server takes it.
  mailbox.refuse(undefined)
  await mailbox.received(before + 4)
  await show(page, '/admin/mail?state=waiting')
  await page.getByText('Er wacht niets').waitFor()
  await page.getByRole('radio', { name: 'Mislukt' }).check()
  await page.getByText('Niets mislukt').waitFor()
})

test('who gets a letter is searched, and nothing found says so', async () => {
  const page = await staff('/admin/mail')
  await page.getByRole('searchbox').fill('nergens')
  await page.getByText('Geen e-mail gevonden').waitFor()
  await page.getByRole('button', { name: 'Zoekopdracht wissen' }).last().click()
  await page.getByRole('rowheader').first().waitFor()
})

test('every letter can be looked at in both languages, in a frame in which nothing runs', async () => {
  const before = mailbox.letters.length
  const page = await staff('/admin/mail')
  await page.getByRole('link', { name: 'Voorbeelden bekijken' }).click()
  await page.getByRole('heading', { level: 1, name: 'Voorbeelden van e-mails' }).waitFor()
  // Nothing runs in the frame, so it is not looked into but at.
  const frame = page.locator('iframe')
  const holds = (text: string) => page.locator(`iframe[sandbox=""][srcdoc*="${text}"]`).waitFor()
  await holds('Nieuw contactbericht</h1>')
  // Its styles count: what is in the middle of it is not the white of an empty page.
  expect(await coloursOf(page, await frame.screenshot())).toBeGreaterThanOrEqual(3)

  await page.getByLabel('E-mail', { exact: true }).selectOption('Uitnodiging om een wachtwoord te kiezen')
  await page.waitForURL(/kind=userInvitation/)
  await holds('Kies uw wachtwoord</h1>')
  await page.getByRole('radio', { name: 'فارسی' }).check()
  await page.waitForURL(/locale=fa/)
  await holds('گذرواژهٔ خود را انتخاب کنید</h1>')
  await page.getByRole('radio', { name: 'Platte tekst' }).check()
  await page.getByText('گذرواژهٔ خود را انتخاب کنید\n====').waitFor()
  await page.reload()
  await page.getByText('گذرواژهٔ خود را انتخاب کنید\n====').waitFor()
  expect(mailbox.letters.length).toBe(before)
})

/** How many colours fill at least a fiftieth of a picture. */
async function coloursOf(page: Page, picture: Buffer): Promise<number> {
  return page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
      context.drawImage(image, 0, 0)
      const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)
      const counts = new Map<number, number>()
      for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
      return [...counts.values()].filter((count) => count > pixels.length / 50).length
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  )
}

test('a letter that waits for hours is sent at once by its button', async () => {
  const before = mailbox.letters.length
  mailbox.refuse({ code: 451, message: 'later' })
  const request = (path: string, init: RequestInit) => fetch(site.url + path, init)
  await aStoredMessage({ request }, 'sanne')
  interface Letters {
    data: { can: { retry: boolean } }[]
  }
  const waiting = () => site.call<Letters>('GET', '/api/outbox?state=waiting')
  // The pauses grow to hours; that is not waited for.
  const db = new DatabaseSync(databaseFile(site.dataDir))
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const put = db.prepare("update outbox set next_attempt_at = ? where state = 'waiting' and last_error is not null")
  await until(async () => {
    put.run(later)
    return (await waiting()).data.every(({ can }) => can.retry)
  }, 'long pause')
  db.close()
  const page = await staff('/admin/mail?state=waiting')
  mailbox.refuse(undefined)
  await page
    .getByRole('button', { name: /^E-mail aan .* nu versturen$/ })
    .first()
    .click()
  await page.getByText('1 e-mail wordt nu verstuurd.').waitFor()
  await mailbox.received(before + 1)
})
