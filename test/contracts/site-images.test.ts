import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { createImageWorker } from '../../src/platform/images/image-worker.ts'
import { createSiteImages } from '../../src/site/site-images.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder } from '../support/databases.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Sites whose public files the test may break. */
function ownFolders() {
  const folders = { client: 'none', public: join(aTempFolder(), 'public') }
  cpSync('public', folders.public, { recursive: true })
  return folders
}

test('an icon that was being rendered before a change is not served after it', async () => {
  const { app, request } = await aTestApp()
  const icon = async () => Buffer.from(await (await request('/icon-maskable.png')).arrayBuffer())
  const begun = icon()
  const { palette, ...rest } = defaultSiteFile()
  const text = JSON.stringify({ ...rest, palette: { ...palette, secondary: '#102030' } })
  await importConfiguration(app.context(), { text, note: 'test' })
  await waitUntil(() => app.source() === 'revision 1', 'new configuration')
  const old = await begun
  const next = await icon()
  expect(next.length).toBeGreaterThan(100)
  expect(next.equals(old)).toBe(false)
})

test('the image of a shared link is set in the Latin fonts of the chosen pair', async () => {
  const { app, request } = await aTestApp()
  const { look, ...rest } = defaultSiteFile()
  const images: string[] = []
  for (const fonts of ['grotesque', 'geometric', 'humanist', 'condensed'] as const) {
    const text = JSON.stringify({ ...rest, look: { ...look, fonts } })
    await importConfiguration(app.context(), { text, note: fonts })
    await waitUntil(() => app.source() === `revision ${images.length + 1}`, 'new configuration')
    images.push(Buffer.from(await (await request('/opengraph.png')).arrayBuffer()).toString('base64'))
  }
  // A font that is not found is replaced by the same fallback for each pair.
  expect(new Set(images).size).toBe(images.length)
})

test('a tagline with the placeholder for the year has the current year in the manifest and in the image of a shared link', async () => {
  const inYear = async (year: number) => {
    const { request } = await aTestApp({
      now: () => new Date(`${year}-06-01T12:00:00Z`),
      site: (config) => {
        config.tagline = { nl: 'Sinds 1998, nog steeds in [year]' }
      },
    })
    const { description } = await (await request('/site.webmanifest')).json()
    const image = Buffer.from(await (await request('/opengraph.png')).arrayBuffer())
    return { description, image: image.toString('base64') }
  }
  const [before, after] = [await inYear(2026), await inYear(2027)]
  expect(before.description).toBe('Sinds 1998, nog steeds in 2026')
  expect(after.description).toBe('Sinds 1998, nog steeds in 2027')
  expect(after.image).not.toBe(before.image)
})

test('an invalid logo only removes the icons, and is logged once', async () => {
  allowErrors(/could not be rendered/)
  const folders = ownFolders()
  writeFileSync(join(folders.public, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')
  const { request, lines } = await aTestApp({ folders })
  for (let visit = 0; visit < 4; visit++) expect((await request('/favicon.ico')).status).toBe(404)
  expect((await request('/opengraph.png')).status).toBe(404)
  expect((await request('/')).status).toBe(200)
  expect(lines.filter((line) => line.msg === 'the icons could not be rendered')).toHaveLength(1)
})

test('a logo that disappears while the program runs only removes the icons', async () => {
  allowErrors(/could not be rendered/)
  const folders = ownFolders()
  const { request } = await aTestApp({ folders })
  rmSync(join(folders.public, 'logo.svg'))
  for (const path of ['/favicon.svg', '/favicon.ico', '/logo.svg.gone']) {
    expect((await request(path)).status, path).toBe(404)
  }
  expect((await request('/')).status).toBe(200)
})

test('a logo that takes too long to render is given up, and only the icons are missing', async () => {
  allowErrors(/could not be rendered/)
  const folders = ownFolders()
  const filters = '<feGaussianBlur stdDeviation="90"/><feMorphology operator="dilate" radius="90"/>'.repeat(60)
  writeFileSync(
    join(folders.public, 'logo.svg'),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><filter id="f">${filters}</filter><g filter="url(#f)"><path d="M0 0h512v512H0z"/></g></svg>`,
  )
  const { app, log } = await aTestApp({ folders }).then(({ app }) => ({ app, log: app.context().log }))
  const imageWorker = createImageWorker({ render: 1_000 })
  closeAfterTest(() => imageWorker.stop())
  const images = createSiteImages({ cacheDir: aTempFolder(), imageWorker, now: () => new Date(), log })
  for (const path of ['/favicon.ico', '/icon-192.png']) {
    await expect(images.get(path, app.context())).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('a stop while the icons are being rendered is not logged as an error', async () => {
  const { app, lines } = await aTestApp()
  const imageWorker = createImageWorker()
  const cacheDir = aTempFolder()
  const images = createSiteImages({ cacheDir, imageWorker, now: () => new Date(), log: app.context().log })
  const rendering = images.warm(app.context())
  await waitUntil(() => readdirSync(cacheDir).length > 0, 'rendering to begin')
  imageWorker.stop()
  await rendering
  expect(lines.filter((line) => line.level === 'error')).toEqual([])
})

test('icons that were unused for a week are removed at the start, and so are those of an interrupted start', async () => {
  const site = await aTestApp()
  const cache = join(site.settings.dataDir, 'cache')
  mkdirSync(join(cache, 'images-0123456789abcdef'), { recursive: true })
  mkdirSync(join(cache, 'images-fedcba9876543210.unfinished'))
  mkdirSync(join(cache, 'images-1111111111111111'))
  const eightDaysAgo = new Date(Date.now() - 8 * 24 * 60 * 60_000)
  for (const name of ['images-0123456789abcdef', 'images-fedcba9876543210.unfinished']) {
    utimesSync(join(cache, name), eightDaysAgo, eightDaysAgo)
  }
  await site.app.warm()
  const left = readdirSync(cache).filter((name) => name.startsWith('images-'))
  expect(left).toHaveLength(2)
  expect(left).toContain('images-1111111111111111')
})
