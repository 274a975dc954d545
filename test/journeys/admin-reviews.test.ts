import { beforeAll, expect, test } from 'vitest'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'

const { visitor } = aBrowser()
const wietske = { name: 'Wietske Schrijver', email: 'wietske@example.nl', password: 'geheim-wietske' }
const parisa = { name: 'پریسا احمدی', email: 'parisa@example.nl', password: 'geheim-parisa' }
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  const { id } = await site.addRole('Schrijver', ['pages.write'])
  await site.addUser({ ...wietske, roleId: id })
  await site.addUser({ ...parisa, roleId: 3, locale: 'fa' })
})

test('a writer takes over the offer of another, a publisher sends it back in Persian, gets it again, compares and publishes', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'Ons werk' })
  await site.call('POST', `/api/pages/${id}/nl/review`, { version: 1, note: 'Zo goed?' })
  const [writer, publisher] = [await visitor(site.url), await visitor(site.url)]
  await Promise.all([signInByApi(writer, wietske), signInByApi(publisher, parisa)])

  await openScreen(writer, `/admin/pages/${id}/nl`)
  const offer = (button: string) => writer.getByRole('dialog').getByRole('button', { name: button })
  await writer.getByRole('textbox', { name: 'Titel', exact: true }).fill('Ons werk in Limburg')
  await writer.getByRole('button', { name: 'Ter controle aanbieden' }).click()
  await writer.getByRole('dialog').getByText('Zo goed?').waitFor()
  await writer
    .getByRole('dialog')
    .getByRole('deletion')
    .or(writer.getByRole('dialog').getByRole('insertion'))
    .first()
    .waitFor()
  await writer.getByRole('dialog').getByRole('radio', { name: 'Overnemen' }).check()
  await writer.getByRole('dialog').getByLabel('Notitie voor wie controleert').fill('Klopt de titel?')
  expect(await axeViolations(writer, { part: 'dialog[open]' })).toEqual([])
  await offer('Opslaan en aanbieden').click()
  await writer.getByText('Wacht op controle').waitFor()
  await writer.getByText('Neemt over wat').waitFor()

  await openScreen(publisher, '/user')
  await publisher.getByText('Klopt de titel?').waitFor()
  await publisher.getByRole('link', { name: 'Ons werk in Limburg' }).click()
  await publisher.getByRole('button', { name: 'دیدن و تصمیم گرفتن' }).click()
  const dialog = publisher.getByRole('dialog')
  await dialog.getByText('Ons werk in Limburg').waitFor()
  expect(await axeViolations(publisher, { part: 'dialog[open]' })).toEqual([])
  // Sending back needs a reason.
  await dialog.getByRole('button', { name: 'برگرداندن' }).click()
  await dialog.getByText('پر کردن این فیلد الزامی است!').waitFor()
  await dialog.getByLabel('یادداشت برای نویسنده').fill('Noem ook Maastricht.')
  await dialog.getByRole('button', { name: 'برگرداندن' }).click()
  await dialog.waitFor({ state: 'detached' })

  await goToScreen(writer, '/user')
  await writer.getByRole('heading', { name: 'Naar u teruggestuurd' }).waitFor()
  await writer.getByRole('link', { name: 'Ons werk in Limburg' }).click()
  await writer.getByText('Noem ook Maastricht.').waitFor()
  await writer.getByRole('textbox', { name: 'Titel', exact: true }).fill('Ons werk in Maastricht')
  await writer.getByRole('button', { name: 'Ter controle aanbieden' }).click()
  await offer('Opslaan en aanbieden').click()
  await writer.getByRole('button', { name: 'Aanbieding intrekken' }).waitFor()

  await goToScreen(publisher, '/admin/pages?status=review')
  await publisher.getByRole('rowheader').getByRole('link', { name: 'Ons werk in Maastricht' }).click()
  await publisher.getByRole('button', { name: 'دیدن و تصمیم گرفتن' }).click()
  await dialog.getByRole('button', { name: 'انتشار' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { path } = await site.call<{ path: string }>('GET', `/api/pages/${id}/nl`)
  await expect.poll(async () => (await fetch(site.url + path)).text()).toContain('Ons werk in Maastricht')
})
