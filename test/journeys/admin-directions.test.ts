import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { StoredFile } from '../../src/contract/files.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  pressSave,
  roya,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { aBrowser } from '../support/browser.ts'
import { bodyField, canvasOf } from '../support/canvas.ts'
import { sendMessage } from '../support/messages.ts'
import { getPageIn, savePage, titleField } from '../support/page-editor.ts'
import { signInAsAdministrator } from '../support/session-cookies.ts'
import { siteLocales } from '../support/site-file.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let messageId: number
let fileId: number
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await addPersianAdministrator(site)
  messageId = await sendMessage({ request: (path, init) => fetch(site.url + path, init) }, 'sanne')
  fileId = await aFile()
})

async function aFile(): Promise<number> {
  const cookie = await signInAsAdministrator(site.url)
  const body = await aPhoto(64, 48)
  const answer = await fetch(`${site.url}/api/files?name=gevel.jpg`, { method: 'POST', headers: { cookie }, body })
  return ((await answer.json()) as { id: number }).id
}

/** The visible side of a field at which its text starts. */
async function sideOf(page: Page, field: Locator): Promise<'left' | 'right'> {
  await field.blur()
  const box = await field.boundingBox()
  if (!box) throw new Error('the field is not to be seen')
  const inside = { x: box.x + 12, y: box.y + 8, width: box.width - 24, height: Math.min(box.height - 16, 40) }
  const shot = await page.screenshot({ clip: inside })
  const { data, info } = await sharp(shot).greyscale().raw().toBuffer({ resolveWithObject: true })
  let [left, right] = [0, 0]
  for (let at = 0; at < data.length; at++) {
    if ((data[at] ?? 255) > 110) continue
    if (at % info.width < info.width / 2) left++
    else right++
  }
  expect(left + right).toBeGreaterThan(20)
  return left > right ? 'left' : 'right'
}

const screens: [path: string, fields: string][] = [
  ['/admin/users/new', 'form input:not([type])'],
  ['/admin/roles/new', 'form input:not([type])'],
  ['/admin/profile', 'form input:not([type])'],
  ['/admin/messages/{message}', 'main textarea'],
  ['/admin/files/{file}', 'main form input[lang]'],
  ['/admin/users', 'main input[type=search]'],
]

test.each(siteLocales)(
  'in %s: text fields follow the direction of their text, Persian from the right and Dutch from the left',
  async (locale) => {
    const page = await visitor(site.url)
    await signInByApi(page, locale === 'fa' ? roya : administrator)
    for (const [path, fields] of screens) {
      await goToScreen(page, path.replace('{message}', String(messageId)).replace('{file}', String(fileId)))
      const field = page.locator(fields).last()
      const before = await field.inputValue()
      await field.fill('مریم کاظمی')
      await expect.poll(() => sideOf(page, field), { message: path }).toBe('right')
      await field.fill('Sanne Bakker')
      await expect.poll(() => sideOf(page, field), { message: path }).toBe('left')
      // Leaving a changed form would ask a question.
      await field.fill(before)
    }
  },
)

test('in the Persian admin a question of a Dutch form is shown in its own direction, and a telephone number that the form lacks is left out', async () => {
  const sent = await fetch(`${site.url}/api/forms/offerte`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      naam: 'Sanne',
      email: 'sanne@vriens.example',
      soort: 'Hosting',
      toelichting: 'Graag snel.',
    }),
  })
  const { id } = (await sent.json()) as { id: number }
  const page = await visitor(site.url)
  await signInByApi(page, roya)
  await openScreen(page, `/admin/messages/${id}`)
  const question = page.locator('dt', { hasText: 'Waar gaat het om?' })
  await question.waitFor()
  expect(await directionOf(question)).toBe('ltr')
  expect(await page.locator('dt', { hasText: 'تلفن' }).count()).toBe(0)
})

const directionOf = (shown: Locator) => shown.evaluate((one) => getComputedStyle(one).direction)

test('a direction that the site gives a language holds in the fields and the canvas, and choosing an image fills in its description', async () => {
  const { version, config } = await site.call<Configuration>('GET', '/api/config')
  const languages = { de: { direction: 'rtl' } }
  await site.call('PUT', '/api/config', { version, config: { locales: ['nl', 'fa', 'de'], languages } })
  const page = await signInAndOpen(await visitor(site.url), `/admin/files/${fileId}`)
  const described = page.getByLabel('Beschrijving in het Duits')
  expect([await described.getAttribute('lang'), await directionOf(described)]).toEqual(['de', 'rtl'])
  await described.fill('Die Fassade')
  await pressSave(page, page.getByRole('button', { name: 'Opslaan' }), /\/api\/files\/\d+$/)
  const { alt } = await site.call<StoredFile>('GET', `/api/files/${fileId}`)
  expect(alt).toEqual({ nl: '', fa: '', de: 'Die Fassade' })

  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { title: 'Gevel', locale: 'de' })
  const body = [{ type: 'image', id: 'foto', src: '[logo]', alt: '' }]
  await savePage(site, await getPageIn(site, id, 'de'), { body: body as never })
  await goToScreen(page, `/admin/pages/${id}/de`)
  const canvas = canvasOf(page)
  await canvas.locator('main img').first().click({ force: true })
  expect(await directionOf(canvas.locator('html'))).toBe('rtl')
  expect(await directionOf(titleField(page))).toBe('rtl')
  await bodyField(page).getByRole('button', { name: 'Andere afbeelding kiezen: Bestand', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'gevel.jpg gebruiken' }).click()
  const alternative = bodyField(page).getByLabel('Beschrijving', { exact: true })
  await expect.poll(() => alternative.inputValue()).toBe('Die Fassade')
  expect(await directionOf(alternative)).toBe('rtl')
  const after = await site.call<Configuration>('GET', '/api/config')
  const { locales, languages: before = null } = config
  await site.call('PUT', '/api/config', { version: after.version, config: { locales, languages: before } })
})
