import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Mailbox as ReportMailbox } from '../../src/contract/mail-server.ts'
import type { OutboxEmail } from '../../src/contract/outbox.ts'
import { form as faForm, shell as faShell } from '../../src/i18n/fa/admin.ts'
import { form as nlForm, shell as nlShell } from '../../src/i18n/nl/admin.ts'
import { sqlitePath } from '../../src/platform/db/database.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  roya,
  signInAndOpen,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aDeliveryReport, anImapServer } from '../support/imap-server.ts'
import { aMailbox, type Mailbox, type ReceivedEmail } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { aSmtpServer } from '../support/smtp-server.ts'
import { allowErrors } from '../support/test-log.ts'
import { slowMs, waitUntil } from '../support/wait-until.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await aMailbox()
  site = await aProgramWithAdministrator({ SMTP_URL: mailbox.url, CONTACT_RATE: 'off' })
})

async function staff(path: string) {
  return signInAndOpen(await visitor(site.url), path)
}

test('outgoing mail is shown with its state, and with the response of the mail server, and found by its recipient', async () => {
  const before = mailbox.emails.length
  const request = (path: string, init: RequestInit) => fetch(site.url + path, init)
  const sent = await sendMessage({ request }, 'roya')
  await mailbox.received(before + 2)
  mailbox.rejectWith({ code: 550, message: 'Mailbox <script>full</script>' })
  await sendMessage({ request }, 'daan')
  const page = await staff('/admin/mail')
  await page.getByText('550 Mailbox <script>full</script>').first().waitFor()

  await page.getByRole('radio', { name: 'Verstuurd' }).check()
  await page.waitForURL(/state=sent/)
  await page
    .getByRole('link', { name: `Bericht ${sent}` })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Roya Karimi' }).waitFor()

  // It is sent automatically once the server accepts it.
  mailbox.rejectWith(undefined)
  // The third pause between two tries is two minutes.
  await mailbox.received(before + 4, slowMs)
  await goToScreen(page, '/admin/mail?state=waiting')
  await page.getByText('Er wacht niets').waitFor()
  await page.getByRole('radio', { name: 'Mislukt' }).check()
  await page.getByText('Niets mislukt').waitFor()

  await goToScreen(page, '/admin/mail')
  await page.getByRole('searchbox').fill('nergens')
  await page.getByText('Geen e-mail gevonden').waitFor()
  await page.getByRole('button', { name: 'Zoekopdracht wissen' }).last().click()
  await page.getByRole('rowheader').first().waitFor()
})

test('a mail server is set on its screen: a wrong password is reported at its field, and a test email shows each step', async () => {
  // The answer to the wrong password.
  allowErrors(/status of 422/)
  const before = mailbox.emails.length
  const server = await aSmtpServer()
  const page = await staff('/admin/config/mail')
  // SMTP_URL wins, which the screen says.
  await page.getByText('Deze server staat in de instelling SMTP_URL').waitFor()
  const form = page.locator('form').first()
  await form.getByRole('textbox', { name: 'Server', exact: true }).fill(server.host)
  await form.getByLabel('Poort').fill(String(server.port))
  await form.getByLabel('Beveiliging').selectOption('none')
  await form.getByLabel('Gebruikersnaam').fill(server.user)
  const password = form.getByRole('textbox', { name: 'Wachtwoord', exact: true })
  await password.fill('helemaal-fout')
  await page.getByRole('button', { name: 'Testen en opslaan' }).click()
  await page.getByText('De server accepteert de gebruikersnaam of het wachtwoord niet.').waitFor()
  await password.fill(server.password)
  await page.getByRole('button', { name: 'Testen en opslaan' }).click()
  await page.getByText('De mailserver werkt en is opgeslagen.').waitFor()
  await page.getByText('Er is een wachtwoord bewaard. Laat leeg om het te houden.').waitFor()

  await page.getByRole('button', { name: 'Testmail sturen' }).click()
  await page.getByText('De mailserver heeft de testmail aangenomen.').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Ontvanger aangenomen' }).getByText('gelukt').waitFor()
  const [email] = (await mailbox.received(before + 1)).slice(before)
  expect(email?.parsed.subject).toMatch(/^Testmail/)
})

test('a mailbox is set on the same screen; an email that it reports as not delivered says so, also at its message', async () => {
  const before = mailbox.emails.length
  const imap = await anImapServer()
  const page = await staff('/admin/config/mail')
  const save = page.getByRole('button', { name: 'Testen en mailbox opslaan' })
  const form = page.locator('form').filter({ has: save })
  await form.getByRole('textbox', { name: 'Server', exact: true }).fill(imap.host)
  await form.getByLabel('Poort').fill(String(imap.port))
  await form.getByLabel('Beveiliging').selectOption('none')
  await form.getByLabel('Gebruikersnaam').fill(imap.user)
  await form.getByRole('textbox', { name: 'Wachtwoord', exact: true }).fill(imap.password)
  await form.getByLabel('E-mailadres van de mailbox').fill('postbus@maaslicht.example')
  await save.click()
  await page.getByText('De mailbox werkt en is opgeslagen.').waitFor()

  const request = (path: string, init: RequestInit) => fetch(site.url + path, init)
  const id = await sendMessage({ request }, 'daan')
  // One for each recipient.
  const email = (await mailbox.received(before + 2))[before] as ReceivedEmail
  const path = '/api/mail-server/mailbox'
  const show = () => site.call<ReportMailbox>('GET', path)
  await expect.poll(show).toMatchObject({ readAt: expect.any(String), problem: null })
  imap.deliver(aDeliveryReport({ messageId: email.parsed.messageId as string, recipient: email.to[0] as string }))
  // It is read again as soon as it is saved; a test does not wait for the next reading.
  const { version, imap: settings } = await show()
  expect(settings?.address).toBe('postbus@maaslicht.example')
  await site.call('PUT', path, { version, imap: settings })
  const bounces = async () => {
    const { data } = await site.call<{ data: OutboxEmail[] }>('GET', '/api/outbox')
    return data.filter(({ bounce }) => bounce !== null).length
  }
  await expect.poll(bounces).toBe(1)

  await goToScreen(page, `/admin/messages/${id}`)
  await page.getByText('Een e-mail over dit bericht kwam niet aan').waitFor()
  await page.getByText('550 5.1.1 Mailbox does not exist').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await goToScreen(page, '/admin/mail')
  await page.getByText(/^Niet aangekomen, gemeld op/).waitFor()
})

test('every email can be previewed in both languages, in a sandboxed frame', async () => {
  const before = mailbox.emails.length
  const page = await staff('/admin/mail')
  await page.getByRole('link', { name: 'Voorbeelden bekijken' }).click()
  await page.getByRole('heading', { level: 1, name: 'Voorbeelden van e-mails' }).waitFor()
  // Scripts cannot run in the frame, so the test looks at a screenshot.
  const frame = page.locator('iframe')
  const holds = (text: string) => page.locator(`iframe[sandbox=""][srcdoc*="${text}"]`).waitFor()
  await holds('Nieuw contactbericht</h1>')
  // Its styles work: its middle is not the white of an empty page.
  await expect.poll(async () => coloursOf(page, await frame.screenshot())).toBeGreaterThanOrEqual(3)

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
  expect(mailbox.emails.length).toBe(before)
})

/** The number of colours that each fill at least a fiftieth of a screenshot. */
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

test('a delayed email is sent at once by its button', async () => {
  const before = mailbox.emails.length
  mailbox.rejectWith({ code: 451, message: 'later' })
  const request = (path: string, init: RequestInit) => fetch(site.url + path, init)
  await sendMessage({ request }, 'sanne')
  interface Emails {
    data: { can: { retry: boolean } }[]
  }
  const waiting = () => site.call<Emails>('GET', '/api/outbox?state=waiting')
  // The retry delays grow to hours; the test does not wait for them.
  const db = new DatabaseSync(sqlitePath(site.dataDir), { timeout: 30_000 })
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const put = db.prepare("update outbox set next_attempt_at = ? where state = 'waiting' and last_error is not null")
  await waitUntil(async () => {
    put.run(later)
    return (await waiting()).data.every(({ can }) => can.retry)
  }, 'long pause')
  db.close()
  const page = await staff('/admin/mail?state=waiting')
  mailbox.rejectWith(undefined)
  await page
    .getByRole('button', { name: /^E-mail aan .* nu versturen$/ })
    .first()
    .click()
  await page.getByText('1 e-mail wordt nu verstuurd.').waitFor()
  await mailbox.received(before + 1)
})

test('a mail server that does not answer is reported on the screens where people work, with a link to the settings, and marked in the menu', async () => {
  await mailbox.stop()
  await site.call('GET', '/api/health?fresh=yes')
  await mailbox.start()
  await addPersianAdministrator(site)
  const page = await visitor(site.url)
  for (const [who, form, shell, failed] of [
    [administrator, nlForm, nlShell, /\(\d+ onderde(el|len) mislukt\)/],
    [roya, faForm, faShell, /\([۰-۹]+ مورد ناموفق\)/],
  ] as const) {
    await signInByApi(page, who)
    const notice = page.getByRole('note', { name: form.mailProblems.server })
    await openScreen(page, '/user')
    await notice.getByText(form.mailProblems.retries).waitFor()
    const menu = page.getByRole('navigation', { name: shell.navigation })
    await menu
      .getByRole('link', { name: failed })
      .and(menu.getByRole('link', { name: shell.health }))
      .waitFor()
    expect(await axeViolations(page)).toEqual([])
    await goToScreen(page, '/admin/messages')
    await notice.getByRole('link', { name: form.mailProblems.set }).click()
    await page.waitForURL('**/admin/config/mail')
    // What this screen still asks for would be refused to the next user.
    await waitUntilLoaded(page)
  }
})
