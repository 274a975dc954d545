import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import type { ListOf } from '../../src/contract/list.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInAndOpen,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { dropOrPasteFiles, localFile } from '../support/local-files.ts'
import { allowErrors } from '../support/test-log.ts'
import { anSvg, aPdf, aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
const parisa = { email: 'parisa@example.nl', password: 'geheim-parisa' }
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator({ UPLOAD_MAX_MB: '1' })
  await site.addUser({ name: 'پریسا احمدی', ...parisa, roleId: 2, locale: 'fa' })
})

const choose = (page: Page, files: ReturnType<typeof localFile>[]) =>
  page.locator('main input[type=file]').first().setInputFiles(files)

const queue = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const line = (page: Page, name: string) => queue(page).getByRole('listitem').filter({ hasText: name })

/** Waits for the file of this name and its resized images. */
async function ready(name: string): Promise<StoredFile> {
  const find = async () =>
    (await site.call<ListOf<StoredFile>>('GET', `/api/files?search=${encodeURIComponent(name)}`)).data[0]
  await expect.poll(async () => (await find())?.state).toBe('ready')
  return (await find()) as StoredFile
}

const opened = async (name: string): Promise<{ page: Page; file: StoredFile }> => {
  const page = await visitor(site.url)
  await signInByApi(page)
  const file = await ready(name)
  await openScreen(page, `/admin/files/${file.id}`)
  return { page, file }
}

describe('uploading', () => {
  test('spec 3 file upload: by the button, by dropping and by pasting; each is listed and then in the grid, an SVG as it is', async () => {
    const page = await signInAndOpen(await visitor(site.url), '/admin/files')
    await page.getByText('Nog geen bestanden').waitFor()
    await page.getByText('Hoogstens 1 MB per bestand').waitFor()

    await choose(page, [
      localFile('gevel.jpg', await aPhoto(500, 400)),
      localFile('Tarieven 2026.pdf', aPdf(), 'application/pdf'),
    ])
    await dropOrPasteFiles(page, 'drop', [
      localFile('gesleept.png', await aPhoto(60, 50, 'png'), 'image/png'),
      localFile('merk.svg', anSvg('<circle r="9" fill="#047857"/>'), 'image/svg+xml'),
    ])
    await dropOrPasteFiles(page, 'paste', [localFile('image.png', await aPhoto(50, 60, 'png'), 'image/png')])

    // Each upload is probed by a process of its own, one after the other.
    await queue(page).getByText('5 van 5 klaar').waitFor()
    const grid = page.getByRole('list', { name: 'Bestanden' })
    for (const name of ['gevel.jpg', 'Tarieven 2026.pdf', 'gesleept.png', 'merk.svg']) {
      await grid.getByText(name).waitFor()
    }
    await grid.getByText(/^geplakt .*\.png$/).waitFor()
    await page.getByRole('button', { name: 'Lijst sluiten' }).click()
    await expect.poll(() => queue(page).count()).toBe(0)
    // The page updates when the resized images are ready.
    await expect.poll(() => grid.getByRole('link', { name: 'gevel.jpg' }).locator('img').count()).toBe(1)
    const { url } = await ready('merk.svg')
    const shown = grid.getByRole('link', { name: 'merk.svg' }).locator('img')
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await expect.poll(() => shown.getAttribute('src')).toBe(url)
  })

  test('a refused upload shows the reason, an interrupted one is retried, and a cancelled one is retried later and stored once', async () => {
    allowErrors(/status of 415|ERR_FAILED/)
    const page = await signInAndOpen(await visitor(site.url), '/admin/files')
    // A pasted image stays in memory as long as it has an object URL.
    const objectUrls = await page.evaluateHandle(() => {
      const urls = { made: 0, kept: new Set<string>() }
      const { createObjectURL, revokeObjectURL } = URL
      URL.createObjectURL = (file) => {
        const url = createObjectURL(file)
        urls.made++
        urls.kept.add(url)
        return url
      }
      URL.revokeObjectURL = (url) => {
        urls.kept.delete(url)
        revokeObjectURL(url)
      }
      return urls
    })
    const keptOfMade = () => objectUrls.evaluate(({ made, kept }) => `${kept.size} of ${made}`)
    let cut = true
    await page.route('**/api/files?name=tweede*', (route) => (cut ? route.abort() : route.continue()))
    await choose(page, [
      localFile('lijst.csv', new Uint8Array(Buffer.from('naam;bedrag')), 'text/csv'),
      localFile('groot.pdf', aPdf('x'.repeat(1_000_000)), 'application/pdf'),
      localFile('tweede.jpg', await aPhoto(300, 200)),
    ])

    await line(page, 'lijst.csv').getByText('Deze soort kan hier niet.').waitFor()
    await line(page, 'groot.pdf').getByText('Dit bestand is groter dan 1 MB.').waitFor()
    await line(page, 'tweede.jpg').getByText('De server is niet bereikbaar.').waitFor()
    await expect.poll(keptOfMade).toBe('0 of 1')
    cut = false
    await page.getByRole('button', { name: 'tweede.jpg opnieuw uploaden' }).click()
    await line(page, 'tweede.jpg').getByText('klaar').waitFor()
    await choose(page, [
      localFile('nog eens.jpg', Buffer.from(await (await fetch(site.url)).arrayBuffer()), 'image/jpeg'),
    ])
    await line(page, 'nog eens.jpg')
      .getByText(/Deze soort|beschadigd/)
      .waitFor()

    const held: (() => void)[] = []
    await page.route('**/api/files?name=traag*', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue().catch(() => {})
    })
    await choose(page, [localFile('traag.jpg', await aPhoto(320, 200))])
    await page.getByRole('button', { name: 'traag.jpg niet uploaden' }).click()
    await line(page, 'traag.jpg').getByText('geannuleerd').waitFor()
    for (const go of held) go()
    await page.unroute('**/api/files?name=traag*')
    await page.getByRole('button', { name: 'traag.jpg opnieuw uploaden' }).click()
    await line(page, 'traag.jpg').getByText('klaar').waitFor()
    const found = await site.call<ListOf<StoredFile>>('GET', '/api/files?search=traag')
    expect(found.meta.total).toBe(1)
  })

  test('several uploads in a dialog are listed by name, without links that would leave the screen behind it', async () => {
    const page = await signInAndOpen(await visitor(site.url, { width: 'phone' }), '/admin/config/logo')
    await page.getByRole('button', { name: 'Kies een afbeelding' }).click()
    const names = ['links.jpg', 'rechts.jpg']
    const photos = await Promise.all(names.map(async (name, index) => localFile(name, await aPhoto(90 + index, 70))))
    await page.locator('dialog input[type=file]').setInputFiles(photos)
    const uploads = page.getByRole('dialog').getByRole('region', { name: 'Uploads' })
    await uploads.getByText('2 van 2 klaar').waitFor()
    await expect.poll(() => uploads.locator('bdi').allInnerTexts()).toEqual(names)
    expect(await uploads.getByRole('link').count()).toBe(0)
  })

  test('an upload in a dialog that was closed is stored, and not chosen', async () => {
    // On a phone no preview of the site is loaded beside the settings.
    const page = await signInAndOpen(await visitor(site.url, { width: 'phone' }), '/admin/config/logo')
    const held: (() => void)[] = []
    await page.route('**/api/files?name=laat*', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await page.getByRole('button', { name: 'Kies een afbeelding' }).click()
    const response = page.waitForResponse(/name=laat/)
    await page.locator('dialog input[type=file]').setInputFiles([localFile('laat.jpg', await aPhoto(90, 70))])
    await expect.poll(() => held.length).toBe(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Annuleren', exact: true }).last().click()
    for (const go of held) go()
    await (await response).finished()
    await ready('laat.jpg')
    await expect
      .poll(() => page.locator('main bdi').allInnerTexts())
      .not.toContainEqual(expect.stringContaining('laat.jpg'))
  })
})

describe('one file', () => {
  test('is described, put in a folder, and its focal point is set by mouse and by keyboard; of two users at once the second chooses', async () => {
    allowErrors(/status of 409/)
    const { page, file } = await opened('gevel.jpg')
    await page.getByLabel('Beschrijving in het Nederlands').fill('De gevel van ons kantoor')
    await page.getByLabel('Beschrijving in het Perzisch').fill('نمای دفتر ما')
    await page.getByLabel('Map', { exact: true }).fill('Kantoor')
    const picture = page.locator('[data-choose]')
    await picture.scrollIntoViewIfNeeded()
    const box = await picture.boundingBox()
    await picture.click({ position: { x: (box?.width ?? 0) * 0.25, y: (box?.height ?? 0) * 0.75 } })
    const across = page.getByRole('slider', { name: 'Van links naar rechts' })
    await expect.poll(() => across.inputValue()).toMatch(/^2[456]$/)
    await across.press('End')
    await across.press('ArrowLeft')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Het bestand is opgeslagen.').waitFor()

    const saved = await site.call<StoredFile>('GET', `/api/files/${file.id}`)
    expect(saved).toMatchObject({
      alt: { nl: 'De gevel van ons kantoor', fa: 'نمای دفتر ما' },
      folder: 'Kantoor',
      focal: { x: 99 },
    })
    expect(saved.focal.y).toBeGreaterThan(70)

    await page.getByLabel('Beschrijving in het Nederlands').fill('Van mij')
    await site.call('PUT', `/api/files/${file.id}`, { alt: { nl: 'Van een ander', fa: '' } })
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByRole('dialog').getByText('Van een ander').waitFor()
    await page.getByRole('button', { name: 'Mijn versie opslaan' }).click()
    await expect.poll(async () => (await ready('gevel.jpg')).alt.nl).toBe('Van mij')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitUntilLoaded(page)

    await goToScreen(page, '/admin/files?folder=Kantoor')
    await page.getByRole('link', { name: 'gevel.jpg' }).waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Bestanden' }).getByRole('listitem').count()).toBe(1)
  })

  test('is cropped by keyboard, and the crop is undone', async () => {
    const { page, file } = await opened('gevel.jpg')
    await page.getByRole('button', { name: 'Bijsnijden' }).click()
    const edge = page.getByRole('button', { name: 'Rechterrand' })
    await edge.focus()
    for (let step = 0; step < 5; step++) await edge.press('ArrowLeft')
    await page
      .getByText(/^Uitsnede: \d+ × 400 pixels$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Klaar' }).click()
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Het bestand is opgeslagen.').waitFor()

    const { crop, whole } = await ready('gevel.jpg')
    expect(crop).toMatchObject({ x: 0, y: 0, height: 400 })
    expect(crop?.width).toBeLessThan(500)
    expect(whole).toMatch(`/api/files/${file.id}/whole`)
    await page.getByRole('button', { name: 'Bijsnijden' }).click()
    await page.getByRole('button', { name: 'Hele afbeelding' }).click()
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await expect.poll(async () => (await ready('gevel.jpg')).crop).toBe(null)
  })

  test('is replaced with a confirmation message, and leaving unsaved changes asks first', async () => {
    allowErrors(/status of 409/)
    const { page, file } = await opened('tweede.jpg')
    const replace = async () => {
      const next = localFile('nieuw.png', await aPhoto(200, 100, 'png'), 'image/png')
      await page.locator('input[type=file]').setInputFiles([next])
      await page.getByRole('alertdialog').getByText('Overal waar tweede.jpg staat, komt nieuw.png.').waitFor()
      await page.getByRole('button', { name: 'Vervangen' }).last().click()
    }
    await site.call('PUT', `/api/files/${file.id}`, { alt: { nl: 'Van Sanne', fa: '' } })
    await replace()
    await page.getByText('Niet vervangen').waitFor()
    // The version that was loaded since can be replaced, and the area that is drawn in it is not that of the next one.
    await expect.poll(() => page.getByLabel('Beschrijving in het Nederlands').inputValue()).toBe('Van Sanne')
    await page.getByRole('button', { name: 'Bijsnijden' }).click()
    const edge = page.getByRole('button', { name: 'Rechterrand' })
    for (let step = 0; step < 5; step++) await edge.press('ArrowLeft')
    await page
      .getByText(/^Uitsnede: \d+ × 200 pixels$/)
      .first()
      .waitFor()
    await replace()
    await page.getByText('tweede.png is vervangen.').waitFor()
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Het bestand is opgeslagen.').waitFor()
    await expect.poll(() => ready('tweede.png')).toMatchObject({ id: file.id, width: 200, height: 100, crop: null })

    await page.getByLabel('Naam').fill('Anders')
    await page.getByRole('link', { name: 'Bestanden' }).last().click()
    await page.getByRole('alertdialog').getByText('Wijzigingen weggooien?').waitFor()
    await page.getByRole('button', { name: 'Hier blijven' }).click()
    await expect.poll(() => page.getByLabel('Naam').inputValue()).toBe('Anders')
  })

  test('is deleted after confirmation', async () => {
    const { page, file } = await opened('gesleept.png')
    await page.getByRole('button', { name: 'Verwijderen' }).click()
    await page.getByText('Weet u zeker dat u deze afbeelding wilt verwijderen?').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Verwijderen' }).click()
    await page.waitForURL('**/admin/files')
    await page.getByText('gesleept.png is verwijderd.').waitFor()
    expect((await fetch(site.url + file.url)).status).toBe(404)
  })
})

test('a user without the right sees no files, and a user who only writes pages cannot change them', async () => {
  const role = await site.addRole('Schrijver', ['pages.write'])
  await site.addUser({ name: 'Sam Schrijver', email: 'sam@example.nl', password: 'geheim-sam', roleId: role.id })
  const page = await visitor(site.url)
  await signInByApi(page, { email: 'sam@example.nl', password: 'geheim-sam' })
  const { id } = await ready('gevel.jpg')
  await openScreen(page, '/admin/files')
  await page.getByRole('link', { name: 'gevel.jpg' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Bestanden kiezen' }).count()).toBe(0)
  await goToScreen(page, `/admin/files/${id}`)
  await page.getByText('U mag dit bestand gebruiken, maar niet wijzigen.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Opslaan' }).count()).toBe(0)
})

test.each([
  ['nl', 'phone'],
  ['fa', 'desktop'],
] as const)('in %s at %s width axe finds nothing, and nothing overflows', async (locale, width) => {
  const page = await visitor(site.url, { width, dark: width === 'desktop' })
  await signInByApi(page, ...(locale === 'fa' ? [parisa] : []))
  const { id } = await ready('gevel.jpg')
  // A search that finds nothing is shown in Persian by admin-screens.test.ts.
  const empty = locale === 'nl' ? ['/admin/files?search=nergens'] : []
  for (const path of ['/admin/files', ...empty, `/admin/files/${id}`]) {
    await goToScreen(page, path)
    expect(await axeViolations(page), path).toEqual([])
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(beyond, path).toBeLessThanOrEqual(0)
  }
  await page.getByRole('button', { name: locale === 'nl' ? 'Bijsnijden' : 'برش تصویر' }).click()
  await page.getByRole('button', { name: locale === 'nl' ? 'Klaar' : 'تمام' }).waitFor()
  await waitUntilLoaded(page)
  expect(await axeViolations(page)).toEqual([])
})
