import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { aFolder } from '../support/databases.ts'
import { allowErrors } from '../support/logged.ts'
import { deliveredSite } from '../support/site-file.ts'
import { aTestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'

/** Folders of a site whose public files the test may spoil. */
function ownFolders() {
  const folders = { client: 'none', public: join(aFolder(), 'public') }
  cpSync('public', folders.public, { recursive: true })
  return folders
}

test('a picture that was begun before a change is not shown after it', async () => {
  const { app, request } = await aTestApp()
  const picture = async () => Buffer.from(await (await request('/icon-maskable.png')).arrayBuffer())
  const begun = picture()
  const { palette, ...rest } = deliveredSite()
  const text = JSON.stringify({ ...rest, palette: { ...palette, secondary: '#102030' } })
  await importConfiguration(app.context(), { text, note: 'test' })
  await until(() => app.source() === 'revision 1', 'new configuration')
  const old = await begun
  const next = await picture()
  expect(next.length).toBeGreaterThan(100)
  expect(next.equals(old)).toBe(false)
})

test('a logo that cannot be drawn costs the icons alone: they are not there, the pages are, and it is logged once', async () => {
  allowErrors(/could not be drawn/)
  const folders = ownFolders()
  writeFileSync(join(folders.public, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')
  const { request, lines } = await aTestApp({ folders })
  for (let visit = 0; visit < 4; visit++) expect((await request('/favicon.ico')).status).toBe(404)
  expect((await request('/opengraph.png')).status).toBe(404)
  expect((await request('/')).status).toBe(200)
  expect(lines.filter((line) => line.msg === 'the icons could not be drawn')).toHaveLength(1)
})

test('a logo that disappears while the program runs leaves no more behind than icons that are not there', async () => {
  allowErrors(/could not be drawn/)
  const folders = ownFolders()
  const { request } = await aTestApp({ folders })
  rmSync(join(folders.public, 'logo.svg'))
  for (const path of ['/favicon.svg', '/favicon.ico', '/logo.svg.gone']) {
    expect((await request(path)).status, path).toBe(404)
  }
  expect((await request('/')).status).toBe(200)
})
