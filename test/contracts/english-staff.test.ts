import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { StoredBlock } from '../../src/contract/site-config.ts'
import { databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { getPageIn } from '../support/pages.ts'
import { as, withSession } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const emma = { email: 'emma@example.nl', name: 'Emma Carter', locale: 'en', user_role: { set: [2] } }
const english = { headers: { 'Accept-Language': 'en' } }

describe.each(databases)('staff who work in English, on %s,', (database) => {
  test('are invited in English, by a link that works although the site has no English', async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url } })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/users', emma)).json()
    expect((await bente.post(`/api/users/${id}/password-link`, { by: 'mail' })).ok).toBe(true)

    const [email] = await mailbox.received(1)
    expect(email?.parsed.subject).toBe('Choose your password | Maaslicht')
    // The day before the month, and twenty-four hours.
    expect(email?.parsed.text).toMatch(/until \w+,? \d{1,2} \w+ \d{4} at \d\d:\d\d\./)
    const link = new URL(/https?:\/\/\S+\?token=[\w-]+/.exec(email?.parsed.text ?? '')?.[0] ?? '')
    expect(link.pathname).toBe('/en/wachtwoord')
    const page = await (await site.request(link.pathname + link.search)).text()
    expect(page).toContain('<html lang="en" dir="ltr">')
    expect(page).toContain('<h1>Choose a password</h1>')
  })

  test('read their screens, refusals, audit log and rights in English', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/users', emma)).json()
    const browser = await withSession(site, id)

    const screen = await browser.get('/user')
    expect(screen.headers.get('content-language')).toBe('en')
    expect(await screen.text()).toMatch(/<html lang="en" dir="ltr"[\s\S]*Loading the admin/)

    const refused = await browser.request('/api/users', {
      method: 'POST',
      headers: { ...english.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'daan', name: '' }),
    })
    expect(await refused.json()).toMatchObject({
      title: 'Not everything is filled in correctly',
      errors: expect.arrayContaining([{ path: 'email', message: 'This email address is not valid!' }]),
    })
    const { data } = await (await browser.request('/api/audit', english)).json()
    expect(data[0].label).toBe('User added')
    const rights = await (await browser.request('/api/rights', english)).json()
    expect(JSON.stringify(rights)).toContain('Manage users')

    const { name, email } = emma
    expect((await browser.put('/api/profile', { name, email, locale: 'nl' })).status).toBe(200)
    expect((await (await browser.get('/api/me')).json()).locale).toBe('nl')
    expect((await browser.put('/api/profile', { name, email, locale: 'en' })).status).toBe(200)
    expect((await (await browser.get('/api/me')).json()).locale).toBe('en')
  })

  test('begin a page in another language than Dutch or Persian with English sample texts', async () => {
    const bente = await as(await aTestApp({ database }), 'beheerder')
    const { version }: Configuration = await (await bente.get('/api/config')).json()
    expect((await bente.put('/api/config', { version, config: { locales: ['nl', 'fa', 'de'] } })).status).toBe(200)

    const made = await bente.post('/api/pages', { locale: 'de', title: 'Kontakt', template: 'contact' })
    expect(made.status).toBe(201)
    const { text } = await getPageIn(bente, (await made.json()).id, 'de')
    expect(text.description).toBe('How to reach [brand]: by telephone, by email or with the form.')
    expect(text.body as StoredBlock[]).toContainEqual(expect.objectContaining({ title: 'Contact us' }))
  })
})

test('staff sign in in the language of the cookie, else of the browser, else of the site', async () => {
  const site = await aTestApp()
  const target = async (path: string, language: string, cookie?: string) => {
    const headers = { 'Accept-Language': language, ...(cookie && { Cookie: `locale=${cookie}` }) }
    const answer = await site.request(path, { headers })
    return [answer.status, answer.headers.get('location') ?? answer.headers.get('content-language')]
  }
  expect(await target('/login?redirect=/admin', 'en-GB,en;q=0.9')).toEqual([302, '/en/login?redirect=/admin'])
  expect(await target('/wachtwoord?token=x', 'fa-IR')).toEqual([302, '/fa/wachtwoord?token=x'])
  expect(await target('/wachtwoord-vergeten', 'nl,en;q=0.5')).toEqual([200, 'nl'])
  expect(await target('/login', 'de, fr;q=0.9')).toEqual([200, 'nl'])
  expect(await target('/login', 'en', 'fa')).toEqual([302, '/fa/login'])
  expect(await target('/login', 'en', 'nl')).toEqual([200, 'nl'])
  expect(await target('/login', 'en', 'xx')).toEqual([302, '/en/login'])
  // An address that names its language keeps it, and so does a choice.
  expect(await target('/fa/login', 'en')).toEqual([200, 'fa'])
  expect(await target('/login?locale=nl', 'en')).toEqual([303, '/login'])
  expect(await target('/user', 'en')).toEqual([303, '/en/login?redirect=%2Fuser'])
})

test('the sign-in pages are in English on a site without English: chosen, remembered, with links to pages that exist', async () => {
  const site = await aTestApp()
  const dutch = await (await site.request('/login')).text()
  expect(dutch).toContain('href="/en/login?locale=en"')

  const chosen = await site.request('/login?locale=en&redirect=%2Fadmin%2Fpages', { redirect: 'manual' })
  expect(chosen.headers.get('location')).toBe('/en/login?redirect=%2Fadmin%2Fpages')
  const cookie = chosen.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(cookie).toBe('locale=en')

  const page = await (await site.request('/en/login')).text()
  expect(page).toContain('<html lang="en" dir="ltr">')
  expect(page).toContain('<h1>Sign in</h1>')
  const links = [...page.matchAll(/href="(\/en[^"]*)"/g)].map(([, path]) => path)
  expect(links.length).toBeGreaterThan(0)
  for (const path of links) expect((await site.request(path ?? '')).status, path).toBe(200)

  const later = await site.request('/admin/pages', { headers: { cookie }, redirect: 'manual' })
  expect(later.headers.get('location')).toBe('/en/login?redirect=%2Fadmin%2Fpages')
  expect((await site.request('/', { headers: { cookie } })).status).toBe(200)
  expect((await site.request('/en')).status).toBe(404)
  expect((await site.request('/de/login')).status).toBe(404)
})
