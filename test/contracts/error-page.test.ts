import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aTempFolder } from '../support/databases.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'

/** A site with a public file that is deleted while the program runs, so that reading it fails. */
async function aBrokenSite() {
  const folder = aTempFolder()
  const folders = { client: join(folder, 'client'), public: join(folder, 'public') }
  cpSync('public', folders.public, { recursive: true })
  writeFileSync(join(folders.public, 'gone.txt'), 'here')
  const site = await aTestApp({ folders })
  rmSync(join(folders.public, 'gone.txt'))
  return site
}

test("spec 2 and 8 other errors: status 500, 'Internal Server Error' and a message without internal details; not cached, and the next request is served", async () => {
  allowErrors(/unexpected error/)
  const { request, lines } = await aBrokenSite()
  const response = await request('/gone.txt')
  const html = await response.text()

  expect(response.status).toBe(500)
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(html).toMatch(/<title>Internal Server Error/)
  expect(html).toMatch(/<h1[^>]*>Internal Server Error<\/h1>/)
  expect(html).toContain('500')
  expect(html).toContain('Er ging iets mis.')
  expect(html).not.toMatch(/ENOENT|gone\.txt.*at /)
  const [line] = lines.filter((one) => one.level === 'error')
  expect(line).toMatchObject({ requestId: expect.any(String), err: { message: expect.stringContaining('ENOENT') } })

  expect(response.headers.get('cache-control')).toContain('no-store')
  expect((await request('/')).status).toBe(200)
})

test('a refused request is answered with the reason, in the language of its address, or of Accept-Language in the API', async () => {
  const site = await aTestApp()
  const { origin } = site.app.context()
  const heading = (html: string) => /<h1[^>]*>.*?<\/h1>/.exec(html)?.[0]
  const post = (path: string, type: string, body: string) =>
    site.request(path, { method: 'POST', headers: { 'Content-Type': type, Origin: origin }, body })
  const form = 'application/x-www-form-urlencoded'
  for (const [answer, status, title] of [
    [await post('/login', form, `identifier=${'a'.repeat(3_000_000)}`), 413, '<h1>Te groot</h1>'],
    [await post('/fa/login', form, `identifier=${'a'.repeat(3_000_000)}`), 413, '<h1>بیش از اندازه بزرگ است</h1>'],
    [await post('/login', 'text/plain', 'a'), 415, '<h1>Dit formaat kan hier niet</h1>'],
    [await post('/login', form, 'identifier=%C3'), 400, '<h1>Onleesbaar verzoek</h1>'],
    [await post('/fa/login', form, 'identifier=%C3'), 400, '<h1>درخواست خوانا نیست</h1>'],
    // Staff sign in in English on a site without English too.
    [await post('/en/login', form, 'identifier=%C3'), 400, '<h1>Unreadable request</h1>'],
  ] as const) {
    expect([answer.status, heading(await answer.text())]).toEqual([status, title])
  }
  const wrong = await post('/en/login', form, 'identifier=roya&password=wrong')
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('Incorrect sign-in details!')])

  const json = async (language: string) => {
    const headers = { 'Content-Type': 'application/json', 'Accept-Language': language }
    const answer = await site.request('/api/contact', { method: 'POST', headers, body: '{"naam":' })
    return [answer.status, (await answer.json()).title]
  }
  expect(await json('nl')).toEqual([400, 'Onleesbaar verzoek'])
  expect(await json('fa-IR')).toEqual([400, 'درخواست خوانا نیست'])
  expect(await json('en-GB,en;q=0.9')).toEqual([400, 'Unreadable request'])
})
