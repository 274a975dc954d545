import { readFileSync } from 'node:fs'
import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { parseConfiguration } from '../../src/domain/configuration/configuration.ts'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { loadConfiguration } from '../../src/domain/configuration/load-configuration.ts'
import { translator } from '../../src/i18n/translate.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { aMailbox } from '../support/mailbox.ts'
import { getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { aRole, signInWithRights } from '../support/roles.ts'
import { changeEachText, defaultSiteFile } from '../support/site-file.ts'
import { as, aUser, password, type SignedIn, signInWithPassword } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const now = async (who: SignedIn): Promise<Configuration> => (await who.get('/api/config')).json()
const change = async (who: SignedIn, config: object, version?: number): Promise<Response> =>
  who.put('/api/config', { version: version ?? (await now(who)).version, config })
const pageOf = async (site: { request: (path: string) => Response | Promise<Response> }, path = '/') =>
  (await (await site.request(path)).text()).replaceAll('\u00a0', ' ')
/** The refused fields, by their path. */
const problems = async (answer: Response) =>
  Object.fromEntries(
    (await answer.json()).errors.map((one: { path: string; message: string }) => [one.path, one.message]),
  )

async function siteOn(database: DatabaseKind) {
  const site = await aTestApp({ database })
  return { site, bente: await as(site, 'beheerder') }
}

describe.each(databases)('the configuration, on %s,', (database) => {
  const aSite = () => siteOn(database)

  test('spec 1 and 9: the whole configuration is returned, version 0 is the file; the first pages are not part of it', async () => {
    const { bente } = await aSite()
    const found = await now(bente)
    expect(found).toMatchObject({ version: 0, revision: null })
    const { $schema: _, version: __, pages: ___, ...delivered } = defaultSiteFile()
    expect(found.config).toMatchObject({
      brand: delivered.brand,
      palette: delivered.palette,
      business: delivered.business,
      contact: delivered.contact,
      offer: delivered.offer,
    })
    expect(Object.keys(found.config).sort()).toEqual(Object.keys(delivered).sort())
  })

  test('two offers cannot have the same id, which messages refer to, unless an imported file has them', async () => {
    const { site, bente } = await aSite()
    const { offer } = (await now(bente)).config
    const [first, second] = offer.prices
    if (!first || !second) throw new Error('the default site has too few prices')
    const refused = await change(bente, { offer: { ...offer, subscriptions: [first] } })
    expect([refused.status, Object.keys(await problems(refused))]).toEqual([422, ['offer.subscriptions.0.id']])

    const text = JSON.stringify({ ...defaultSiteFile(), offer: { ...offer, subscriptions: [first] } })
    await importConfiguration(site.app.context(), { text, note: 'elders.json' })
    await waitUntil(async () => (await now(bente)).config.offer.subscriptions[0]?.id === first.id, 'import')
    // Another double cannot take its place.
    const answer = await change(bente, { offer: { ...offer, subscriptions: [second] } })
    expect([answer.status, Object.keys(await problems(answer))]).toEqual([422, ['offer.subscriptions.0.id']])
  })

  test('a change of recipients or sender needs the password, and the previous recipients are notified', async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url } })
    const bente = await as(site, 'beheerder')
    const { config } = await now(bente)
    const former = config.contact.recipients
    const longAgo = new Date(Date.now() - 11 * 60_000).toISOString()
    await site.db.updateTable('session').set({ confirmed_at: longAgo }).execute()
    const contact = { ...config.contact, recipients: ['dief@evil.example'] }
    for (const part of [{ contact }, { sender: { ...config.sender, email: 'dief@evil.example' } }]) {
      const refused = await change(bente, part)
      expect([refused.status, (await refused.json()).code]).toEqual([403, 'password_needed'])
    }
    expect((await change(bente, { contact: { ...config.contact, subject: 'Bericht via [brand]' } })).status).toBe(200)

    const again = await signInWithPassword(site, 'bente@example.nl')
    expect((await change({ ...bente, ...again }, { contact })).status).toBe(200)

    await mailbox.received(former.length)
    expect(mailbox.emails.flatMap(({ to }) => to).sort()).toEqual([...former].sort())
    const mail = await simpleParser(mailbox.emails[0]?.raw ?? '')
    expect(mail.subject).toContain('Ontvangers of afzender gewijzigd')
    expect(mail.text).toContain('dief@evil.example')
    expect(mail.text).toContain('Bente de Beheerder')
  })

  test('the previous recipients are notified in the main language of a site without Dutch', async () => {
    const site = await aTestApp({
      database,
      site: (config) =>
        Object.assign(
          config,
          changeEachText(config, ({ nl }) => ({ en: nl })),
          { locales: ['en'] },
        ),
    })
    const bente = await as(site, 'beheerder')
    const { config } = await now(bente)
    const contact = { ...config.contact, recipients: ['anders@voorbeeld.example'] }
    expect((await change(bente, { contact })).status).toBe(200)
    await waitUntil(async () => (await site.writtenEmails()).length > 0, 'the notice')
    const [notice] = await site.writtenEmails()
    expect(notice?.subject).toContain(translator('en')('mail.contactChange.title'))
  })

  test('a passkey that is added after the name of the site changed has the new name', async () => {
    const { bente } = await aSite()
    const name = async () => (await (await bente.post('/api/profile/passkeys/options')).json()).rp.name
    expect(await name()).toBe(defaultSiteFile().brand)
    expect((await change(bente, { brand: 'Zonlicht' })).status).toBe(200)
    expect(await name()).toBe('Zonlicht')
  })

  test('a changed price shows on the site, on this instance and on another', async () => {
    const { site, bente } = await aSite()
    const other = await aTestApp({ beside: site })
    expect(await pageOf(site)).toContain('€ 1.950')
    expect(await pageOf(other)).toContain('€ 1.950')
    const { config } = await now(bente)
    const prices = config.offer.prices.map((item) =>
      item.id === 'bedrijfswebsite' ? { ...item, amount: 203_450 } : item,
    )

    const saved = await change(bente, { offer: { ...config.offer, prices } })

    expect(saved.status).toBe(200)
    const shown = '€ 2.034,50'
    for (const copy of [site, other]) {
      await waitUntil(async () => (await pageOf(copy)).includes(shown), 'new price')
      await waitUntil(async () => (await pageOf(copy, '/fa')).includes('۲٬۰۳۴٫۵۰ یورو'), 'new price in Persian')
    }
  })

  test('spec 1 and 3 opening days: a closed day and changed hours show on the site', async () => {
    const { site, bente } = await aSite()
    const { config } = await now(bente)
    const openingHours = {
      ...config.business.openingHours,
      friday: null,
      saturday: { opens: '10:00', closes: '14:30' },
    }
    expect((await change(bente, { business: { ...config.business, openingHours } })).status).toBe(200)
    await waitUntil(
      async () => (await pageOf(site)).includes('maandag t/m donderdag 09:00–18:00, zaterdag 10:00–14:30'),
      'new hours',
    )
    expect(await pageOf(site)).toContain('"opens":"10:00","closes":"14:30"')
  })

  test('an outdated version is refused: 409 with the current version', async () => {
    const { bente } = await aSite()
    await change(bente, { brand: 'Eerst' }, 0)
    const late = await change(bente, { brand: 'Laat' }, 0)
    expect(late.status).toBe(409)
    const conflict = await late.json()
    expect(conflict).toMatchObject({ code: 'stale', current: { config: { brand: 'Eerst' } } })
    expect((await now(bente)).config.brand).toBe('Eerst')
    expect((await change(bente, { brand: 'Laat' }, conflict.current.version)).status).toBe(200)
  })

  test('when two users save at once, one of them gets a conflict', async () => {
    const { bente } = await aSite()
    const answers = await Promise.all(['Een', 'Twee', 'Drie'].map((brand) => change(bente, { brand }, 0)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { data } = await (await bente.get('/api/config/revisions')).json()
    expect(data).toMatchObject([{ kind: 'changed' }, { kind: 'file' }])
  })

  test('saving without changes creates no revision', async () => {
    const { bente } = await aSite()
    const { config } = await now(bente)
    expect(await (await change(bente, { palette: config.palette })).json()).toMatchObject({ version: 0 })
  })

  test('text that the database cannot store, a title over the limit and a duplicate language are refused', async () => {
    const { bente } = await aSite()
    const { config } = await now(bente)
    const control = 'Dit veld bevat een onzichtbaar teken dat hier niet kan. Verwijder het en probeer het opnieuw.'
    const wrong = {
      brand: 'a\0b',
      tagline: { nl: 'a\ud800' },
      contact: { ...config.contact, subject: '\0' },
      locales: ['nl', 'nl'],
    }
    expect(await problems(await change(bente, wrong))).toEqual({
      brand: control,
      'tagline.nl': control,
      'contact.subject': control,
      locales: 'Elke keuze kan hier maar één keer staan.',
    })
    const file = defaultSiteFile()
    const [home, ...others] = file.pages
    for (const title of ['x'.repeat(6_000), 'a\0b']) {
      const pages = [{ ...home, content: { ...home.content, nl: { ...home.content.nl, title } } }, ...others]
      const body = { version: 0, file: JSON.stringify({ ...file, pages }) }
      const reported = await problems(await bente.post('/api/config/import', body))
      expect(Object.keys(reported)).toEqual(['pages.0.content.nl.title'])
    }
    expect((await bente.put('/api/config', { version: 2_147_483_648, config: {} })).status).toBe(422)
    expect((await bente.post('/api/config/import', { version: 0, file: JSON.stringify(file) })).status).toBe(200)
  })

  test('the audit log has the user and the values before and after', async () => {
    const { bente } = await aSite()
    const { config } = await now(bente)
    await change(bente, { brand: 'Maanlicht', palette: { ...config.palette, primary: '#112233' } })
    const { data } = await (await bente.get('/api/audit?action=config.changed')).json()
    expect(data).toMatchObject([
      {
        actor: { id: bente.id },
        label: 'Instellingen van de website gewijzigd',
        subject: { type: 'configuration', id: '2', name: '#2' },
        before: { brand: 'Maaslicht', 'palette.primary': '#10B981' },
        after: { brand: 'Maanlicht', 'palette.primary': '#112233' },
      },
    ])
  })

  test('revisions have user, time, source and changed sections; each shows the version before it', async () => {
    const { bente } = await aSite()
    await change(bente, { brand: 'Maanlicht' })
    await bente.put('/api/config', {
      version: 2,
      note: 'Nieuwe huisstijl',
      config: { logo: { src: '/logo.svg' }, tagline: { nl: 'Licht' } },
    })
    const list = await (await bente.get('/api/config/revisions?pageSize=2')).json()
    expect(list.meta).toMatchObject({ total: 3, pageSize: 2 })
    expect(list.data).toMatchObject([
      {
        id: 3,
        kind: 'changed',
        note: 'Nieuwe huisstijl',
        parts: ['tagline'],
        author: { id: bente.id, name: 'Bente de Beheerder' },
      },
      { id: 2, kind: 'changed', note: '', parts: ['brand'] },
    ])
    expect(await (await bente.get('/api/config/revisions/2')).json()).toMatchObject({
      before: { brand: 'Maaslicht' },
      config: { brand: 'Maanlicht' },
      inForce: false,
    })
    expect(await (await bente.get('/api/config/revisions/1')).json()).toMatchObject({
      before: null,
      revision: { kind: 'file' },
    })
    expect((await bente.get('/api/config/revisions/99')).status).toBe(404)
  })

  test('a restored revision becomes a new revision, which can be undone in the same way', async () => {
    const { site, bente } = await aSite()
    await change(bente, { brand: 'Maanlicht' })
    await change(bente, { brand: 'Zonlicht' })
    const old = await bente.post('/api/config/revisions/1/restore', { version: 2 })
    expect(old.status).toBe(409)

    const restored = await bente.post('/api/config/revisions/1/restore', { version: 3 })
    expect(await restored.json()).toMatchObject({
      version: 4,
      revision: { kind: 'restored', restoredId: 1, parts: ['brand'] },
      config: { brand: 'Maaslicht' },
    })
    await waitUntil(async () => (await pageOf(site)).includes('Maaslicht'), 'the first brand')
    expect((await bente.post('/api/config/revisions/3/restore', { version: 4 })).status).toBe(200)
    expect((await now(bente)).config.brand).toBe('Zonlicht')
    expect((await bente.post('/api/config/revisions/99/restore', { version: 5 })).status).toBe(404)
  })

  test('an export that is imported is exported again byte for byte', async () => {
    const { bente } = await aSite()
    const exported = await bente.get('/api/config/export')
    expect(exported.headers.get('content-disposition')).toContain('site.config.0.json')
    const first = await exported.text()
    expect(JSON.parse(first)).toMatchObject({ $schema: './site.schema.json', version: '1.2' })
    await change(bente, { brand: 'Maanlicht' })

    const { version } = await now(bente)
    const imported = await bente.post('/api/config/import', { version, file: first, note: 'Terug' })
    expect(await imported.json()).toMatchObject({
      revision: { kind: 'imported', note: 'Terug' },
      config: { brand: 'Maaslicht' },
    })
    expect(await (await bente.get('/api/config/export')).text()).toBe(first)
    expect((await bente.post('/api/config/import', { version, file: first })).status).toBe(409)
  })

  test('an export names a page of the menu in a language that the site has, and is imported without a difference', async () => {
    const { bente } = await aSite()
    await change(bente, { locales: ['nl', 'fa', 'de'] })
    const page = await publishedPage(bente, { title: 'Über uns', locale: 'de', slug: 'ueber' })
    await savePageIn(bente, page, { title: 'درباره', slug: 'darbare' }, { locale: 'fa', publish: true })
    const main = { nl: [{ title: '', page }] }
    expect((await change(bente, { locales: ['nl', 'fa'], menus: { main } })).status).toBe(200)

    const file = await (await bente.get('/api/config/export')).text()
    expect(JSON.parse(file).menus.main.nl).toMatchObject([{ page: 'fa/darbare' }])
    const { version } = await now(bente)
    await bente.post('/api/config/import', { version, file })
    expect((await now(bente)).config.menus?.main.nl).toMatchObject([{ page }])
  })

  test('a file that brings a page back from the trash takes no address that another page has by now', async () => {
    const { bente } = await aSite()
    const slug = 'offerte-aanvragen'
    const first = (await (await bente.get(`/api/pages?search=${slug}`)).json()).data[0].id
    const file = await (await bente.get('/api/config/export')).json()
    for (const page of file.pages) if (page.slug === slug) delete page.content.fa
    expect((await bente.post(`/api/pages/${first}/bin`)).status).toBe(200)
    const second = await publishedPage(bente, { title: 'سفارش', locale: 'fa', slug, body: [] })

    const { version } = await now(bente)
    const imported = await bente.post('/api/config/import', { version, file: JSON.stringify(file) })
    expect(imported.status, await imported.clone().text()).toBe(200)
    expect(await getPageIn(bente, first)).toMatchObject({ deletedAt: null, state: 'published' })
    expect(await getPageIn(bente, first, 'fa')).toMatchObject({ state: 'unpublished', text: { slug: `${slug}-2` } })
    expect((await savePageIn(bente, second, { description: 'نو' }, { locale: 'fa', publish: true })).status).toBe(200)
  })

  test('a file is validated before it is imported: an older one is upgraded to 1.2, and every invalid path is named', async () => {
    const { bente } = await aSite()
    const older = readFileSync('test/support/site-1.1.json', 'utf8')
    const report = await bente.post('/api/config/check', { file: older })
    expect(await report.json()).toMatchObject({
      version: 0,
      config: { locales: ['nl'], contact: { retentionDays: 365 } },
    })
    expect((await now(bente)).version).toBe(0)

    const wrong = defaultSiteFile()
    wrong.palette.dark = 'zwart'
    wrong.contact.recipients = ['x']
    wrong.surprise = true
    for (const path of ['/api/config/check', '/api/config/import']) {
      const body = { file: JSON.stringify(wrong), ...(path.endsWith('import') && { version: 0 }) }
      expect(await problems(await bente.post(path, body))).toEqual({
        'palette.dark': 'Dit is geen kleur. Kies er een, of typ hem als #10B981.',
        'contact.recipients.0': 'Dit e-mailadres is niet geldig!',
        surprise: 'Dit veld bestaat niet.',
      })
    }
    expect(await problems(await bente.post('/api/config/check', { file: 'geen json' }))).toEqual({
      '': 'Dit bestand is niet leesbaar als configuratie (JSON).',
    })
    const newer = JSON.stringify({ ...defaultSiteFile(), version: '9.0' })
    expect(await problems(await bente.post('/api/config/check', { file: newer }))).toEqual({
      version: 'Deze configuratie is van een nieuwere versie van het programma.',
    })
  })

  test('the pages that a file would change are named in the main language of the file', async () => {
    const { bente } = await aSite()
    const file = changeEachText(defaultSiteFile(), ({ nl, fa = nl }) => ({ nl, fa }))
    Object.assign(file, { locales: ['fa', 'en'], rootLocale: 'fa' })
    Object.assign(file.pages[0].content.nl, { title: 'Begin' })
    Object.assign(file.pages[0].content.fa, { title: 'آغاز' })
    const checked = await bente.post('/api/config/check', { file: JSON.stringify(file) })
    expect(await checked.json()).toMatchObject({ pages: [{ title: 'آغاز' }] })
  })

  test('an import by the operator is a revision too, and staff see it', async () => {
    const { site, bente } = await aSite()
    const text = JSON.stringify({ ...defaultSiteFile(), brand: 'Van de opdrachtregel' })
    await importConfiguration(site.app.context(), { text, note: 'huisstijl.json' })
    expect(await now(bente)).toMatchObject({
      version: 1,
      revision: { kind: 'imported', note: 'huisstijl.json', author: { id: null, name: '' } },
      config: { brand: 'Van de opdrachtregel' },
    })
    expect((await change(bente, { brand: 'x' }, 0)).status).toBe(409)
  })

  test('a first import by the operator is compared with the configuration file in use, whose recipients are notified', async () => {
    const { site, bente } = await aSite()
    const present = defaultSiteFile()
    const contact = { ...present.contact, recipients: ['nieuw@maaslicht.example'] }
    const text = JSON.stringify({ ...present, contact })
    await importConfiguration(site.app.context(), { text, note: 'huisstijl.json', present })
    expect(await now(bente)).toMatchObject({ version: 2, revision: { kind: 'imported' } })
    expect((await bente.get('/api/config/revisions/1')).status).toBe(200)
    const notices = await site.db
      .selectFrom('outbox')
      .select('recipient')
      .where('template', '=', 'contactChange')
      .execute()
    expect(notices.map(({ recipient }) => recipient).sort()).toEqual(present.contact.recipients.toSorted())
  })

  test('a first import of the configuration file in use, after it was edited, adds no revision for the file itself', async () => {
    const { site, bente } = await aSite()
    const [note, publicDir] = ['site.config.json', 'public']
    const text = JSON.stringify({ ...defaultSiteFile(), brand: 'Van de opdrachtregel' })
    const present = parseConfiguration(text, note, publicDir)
    await importConfiguration(site.app.context(), { text, note, publicDir, present })
    expect(await now(bente)).toMatchObject({ version: 1, revision: { kind: 'imported' } })
  })

  test('an import by the operator that hides a page under a new language is refused with its path', async () => {
    const { site, bente } = await aSite()
    await publishedPage(bente, { title: 'Duits', slug: 'de/les', body: [] })
    const present = defaultSiteFile()
    const text = JSON.stringify({ ...present, locales: [...present.locales, 'de'] })
    const imported = importConfiguration(site.app.context(), { text, note: 'huisstijl.json', present })
    await expect(imported).rejects.toThrow(/huisstijl\.json cannot be used:.*locales\.\d: /s)
  })

  test.runIf(database === 'postgres')('an import by an operator waits for a save that is under way', async () => {
    const { site, bente } = await aSite()
    const text = JSON.stringify({ ...defaultSiteFile(), brand: 'Van de opdrachtregel' })
    const { transaction, dialect } = site.app.context()
    let imported: Promise<unknown> | undefined
    await transaction(async (tx) => {
      await dialect.lock(tx, 'configuration')
      imported = importConfiguration(site.app.context(), { text, note: 'huisstijl.json' })
      await waitUntil(async () => (await countLockWaits(site)) > 0, 'the import to wait')
    })
    await imported
    expect((await now(bente)).config.brand).toBe('Van de opdrachtregel')
  })

  test('spec 3 menu: submenus can be nested deeply; unlimited nesting is refused', async () => {
    const { site, bente } = await aSite()
    const { config } = await now(bente)
    const nested = (levels: number) => {
      const submenu = `${'{"title":"x","submenu":['.repeat(levels)}{"title":"Diepste","url":"/diep"}${']}'.repeat(levels)}`
      return `{"version":0,"config":{"branding":${JSON.stringify({
        ...config.branding,
        navbar: { ...config.branding.navbar, desktop: { nl: [{ type: 'menu', menuType: 'desktop', items: ['#'] }] } },
      }).replace('"#"', submenu)}}}`
    }
    const put = (body: string) =>
      bente.request('/api/config', { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body })
    expect((await put(nested(20_000))).status).toBe(400)
    expect((await put(nested(90))).status).toBe(200)
    await waitUntil(async () => (await pageOf(site)).includes('<a href="/diep">Diepste</a>'), 'the deepest item')
  })

  test('pages in an imported file are replaced when the user may publish them, and stay unchanged otherwise', async () => {
    const { site, bente } = await aSite()
    const file = JSON.parse(await (await bente.get('/api/config/export')).text())
    const [home] = file.pages
    home.content.nl.body = [{ type: 'content', selector: 'p', content: '<p>Een andere voorpagina.</p>' }]
    file.pages.push({ ...home, slug: 'meegekomen', content: { nl: { ...home.content.nl, title: 'Meegekomen' } } })
    const text = JSON.stringify({ ...file, brand: 'Uit een bestand' })
    const roleId = await aRole(site, 'Instellingen', ['config.write'])
    await aUser(site, { name: 'Sam', email: 'sam@example.nl', roleId })
    const sam = await signInWithPassword(site, 'sam@example.nl')

    const report = await (await sam.post('/api/config/check', { file: text })).json()
    expect(report).toMatchObject({ withPages: false, pages: [{ slug: '' }, { slug: 'meegekomen' }] })
    expect((await sam.post('/api/config/import', { version: 0, file: text })).status).toBe(200)
    expect((await now(bente)).config.brand).toBe('Uit een bestand')
    await waitUntil(async () => (await pageOf(site)).includes('Uit een bestand</'), 'new brand')
    expect(await pageOf(site)).not.toContain('Een andere voorpagina.')
    // The next start does not replace them either: it reads the current configuration.
    const { pages } = (await loadConfiguration(site.db, { file: '', publicDir: 'public' })).site
    expect(pages.map(({ slug }) => slug)).not.toContain('meegekomen')

    const { version } = await now(bente)
    expect(await (await bente.post('/api/config/check', { file: text })).json()).toMatchObject({ withPages: true })
    expect((await bente.post('/api/config/import', { version, file: text })).status).toBe(200)
    await waitUntil(async () => (await pageOf(site)).includes('Een andere voorpagina.'), 'home of the file')
    expect((await site.request('/meegekomen')).status).toBe(200)
    const history = await (await bente.get('/api/pages/1/nl/revisions')).json()
    expect(history.data.length).toBeGreaterThan(1)
    // The audit log records for each page that it came with the file, and who imported it.
    const { data: log } = await (await bente.get('/api/audit?action=page.published')).json()
    expect(log).toHaveLength(2)
    expect(log).toMatchObject(
      ['Meegekomen', home.content.nl.title].map((name) => ({
        actor: { id: bente.id },
        subject: { type: 'page', name },
        after: { imported: true },
      })),
    )
  })

  test('the name of an erased user is removed from the history, and their changes stay', async () => {
    const { site, bente } = await aSite()
    const sam = await signInWithRights(site, 'Sam', ['config.write'])
    expect((await change(sam, { brand: 'Van Sam' }, 0)).status).toBe(200)
    const revision = async () => (await (await bente.get('/api/config/revisions')).json()).data[0]
    expect((await revision()).author).toEqual({ id: sam.id, name: 'Sam' })
    const { email } = await (await sam.get('/api/me')).json()
    const erased = await bente.post('/api/privacy/erase', { email, password })
    expect([erased.status, (await erased.json()).account]).toEqual([200, true])
    expect(await revision()).toMatchObject({ kind: 'changed', author: { id: sam.id, name: `#${sam.id}` } })
    expect((await now(bente)).revision?.author.name).toBe(`#${sam.id}`)
    expect((await now(bente)).config.brand).toBe('Van Sam')
  })

  test('a page that is imported with a file is in the audit log, with its languages and changes', async () => {
    const { bente } = await aSite()
    const file = JSON.parse(await (await bente.get('/api/config/export')).text())
    const [home] = file.pages
    home.content.nl.title = 'Een andere titel'
    home.content.fa.body = [{ type: 'content', selector: 'p', content: '<p>خانه</p>' }]
    file.pages.push({ ...home, slug: 'meegekomen', content: { nl: { ...home.content.nl, title: 'Meegekomen' } } })
    expect((await bente.post('/api/config/import', { version: 0, file: JSON.stringify(file) })).status).toBe(200)
    const { data } = await (await bente.get('/api/audit?subjectType=page&sort=at')).json()
    const revision = expect.any(Number)
    expect(data).toMatchObject([
      {
        action: 'page.published',
        actor: { id: bente.id },
        subject: { id: '1', name: 'Een andere titel' },
        after: { title: 'Een andere titel', language: 'nl', imported: true, revision },
      },
      { subject: { id: '1' }, after: { body: 'changed', language: 'fa', imported: true, revision } },
      {
        subject: { name: 'Meegekomen' },
        before: null,
        after: { title: 'Meegekomen', body: 'changed', imported: true },
      },
    ])
    expect(data[0].after).not.toHaveProperty('body')
    expect(Object.keys(data[1].before ?? {})).toEqual([])
  })

  test('a revision from before the title limit does not prevent a start, and can be read, changed and restored', async () => {
    const { site, bente } = await aSite()
    await change(bente, { brand: 'Maanlicht' })
    const rows = await site.db.selectFrom('config_revision').select(['id', 'config']).execute()
    expect(rows.length).toBe(2)
    for (const { id, config } of rows) {
      const stored = JSON.parse(config)
      stored.pages[0].content.nl.title = 'Lang '.repeat(1_000)
      const changed = { config: JSON.stringify(stored) }
      await site.db.updateTable('config_revision').set(changed).where('id', '=', id).execute()
    }
    const next = await aTestApp({ beside: site })
    expect(await pageOf(next)).toContain('Maanlicht')
    expect((await bente.get('/api/config/revisions/1')).status).toBe(200)
    expect((await change(bente, { brand: 'Zonlicht' })).status).toBe(200)
    expect((await bente.post('/api/config/revisions/1/restore', { version: 3 })).status).toBe(200)
    expect((await now(bente)).config.brand).toBe('Maaslicht')
  })

  test('placeholders cannot multiply: not in the company details, and not in a page or a longer address', async () => {
    const { site, bente } = await aSite()
    const { config } = await now(bente)
    const street = (text: string) => ({
      legal: { ...config.legal, address: { ...config.legal.address, street: text } },
    })
    expect(await problems(await change(bente, street('x'.repeat(201))))).toEqual({
      'legal.address.street': 'Dit veld mag hoogstens 200 tekens lang zijn.',
    })
    expect((await change(bente, street('x'.repeat(200)))).status).toBe(200)

    const page = await (await bente.post('/api/pages', { title: 'Vol', slug: 'vol', locale: 'nl' })).json()
    const at = `/api/pages/${page.id}/nl`
    const save = async (placeholder: string, times: number) => {
      const { version, text } = await (await bente.get(at)).json()
      const block = { type: 'content', selector: 'p', content: placeholder.repeat(times) }
      return bente.put(at, { version, text: { ...text, body: [block, block] }, publish: true })
    }
    const tooLarge =
      'Een pagina wordt te groot, zo vaak staat daar een tekst tussen vierkante haken die de website invult. Kort die tekst in, of gebruik hem minder vaak.'
    expect(await problems(await save('[legal.street]', 6_000))).toEqual({ 'text.body': tooLarge })
    expect((await save('[sameAs.1]', 6_000)).status).toBe(200)
    const profile = `https://linkedin.example/${'x'.repeat(300)}`
    expect(await problems(await change(bente, { business: { ...config.business, sameAs: [profile] } }))).toEqual({
      '': tooLarge,
    })
    expect((await change(bente, { brand: 'Zonlicht' })).status).toBe(200)
    await waitUntil(async () => (await pageOf(site, '/vol')).includes('Zonlicht'), 'the new brand')
  })

  test('a revision with company details over the limit is read with the details cut off', async () => {
    const { site, bente } = await aSite()
    await change(bente, { brand: 'Maanlicht' })
    for (const { id, config } of await site.db.selectFrom('config_revision').select(['id', 'config']).execute()) {
      const stored = JSON.parse(config)
      stored.legal.address.street = 'Lange straat '.repeat(1_500)
      await site.db
        .updateTable('config_revision')
        .set({ config: JSON.stringify(stored) })
        .where('id', '=', id)
        .execute()
    }
    const next = await aTestApp({ beside: site })
    expect(await pageOf(next)).toContain('Maanlicht')
    expect((await now(await as(next, 'beheerder'))).config.legal.address.street).toHaveLength(200)
  })
})

test('only a user with every right may change the address of the site, because emailed links to set a password begin with it', async () => {
  const { site, bente } = await siteOn('sqlite')
  const sam = await signInWithRights(site, 'Sam', ['config.write', 'users.write'])
  const url = 'https://maaslicht.aanvaller.example'
  const refused = translator('nl')('validation.allRights')
  const answer = await change(sam, { url, brand: 'Maanlicht' })
  expect([answer.status, await problems(answer)]).toEqual([422, { url: refused }])
  const file = JSON.stringify({ ...(await (await sam.get('/api/config/export')).json()), url })
  expect((await sam.post('/api/config/import', { version: 0, file })).status).toBe(422)
  expect((await now(bente)).config).toMatchObject({ url: 'https://maaslicht.example', brand: 'Maaslicht' })

  const confirmedAt = { confirmed_at: '2020-01-01T00:00:00.000Z' }
  await site.db.updateTable('session').set(confirmedAt).where('user_id', '=', bente.id).execute()
  const late = await change(bente, { url })
  expect([late.status, (await late.json()).code]).toEqual([403, 'password_needed'])
  await bente.post('/api/confirm', { password })
  expect((await change(bente, { url })).status).toBe(200)
  // Restoring settings with another address changes it too.
  expect((await sam.post('/api/config/revisions/1/restore', { version: 2 })).status).toBe(422)
})

test('files follow a change of the address of the site from http to https, also those in the cache', async () => {
  const { site, bente } = await siteOn('sqlite')
  const requiresHttps = async () => {
    const { headers } = await site.request('/logo.svg')
    return headers.has('strict-transport-security')
  }
  expect(await requiresHttps()).toBe(true)
  expect((await change(bente, { url: 'http://maaslicht.example' })).status).toBe(200)
  expect(await requiresHttps()).toBe(false)
  expect((await change(bente, { url: 'https://maaslicht.example' })).status).toBe(200)
  expect(await requiresHttps()).toBe(true)
})

describe('refused before it reaches a database:', () => {
  const aSite = () => siteOn('sqlite')

  test('a sender and a brand with a line break are refused, because emails have both in their headers', async () => {
    const { bente } = await aSite()
    const { config } = await now(bente)
    const name = 'Maaslicht\r\nBcc: dief@evil.example'
    for (const [path, part] of [
      ['sender.name', { sender: { ...config.sender, name } }],
      ['brand', { brand: name }],
    ] as const) {
      const answer = await change(bente, part)
      expect([answer.status, Object.keys(await problems(answer))]).toEqual([422, [path]])
    }
  })

  test('every invalid value is reported at its path, in the language of the request, and nothing is changed', async () => {
    const { bente } = await aSite()
    const { config } = await now(bente)
    const wrong = {
      brand: '',
      url: 'https://maaslicht.example/pad',
      palette: { ...config.palette, accent: 'groen' },
      sender: { ...config.sender, email: 'geen-adres' },
      legal: { ...config.legal, kvk: '123', vat: 'x' },
      business: {
        ...config.business,
        openingHours: { ...config.business.openingHours, monday: { opens: '18:00', closes: '09:00' } },
        sameAs: ['http://linkedin.example'],
        geo: { latitude: 91, longitude: 5 },
      },
      contact: { ...config.contact, recipients: [], retentionDays: 0 },
      offer: { ...config.offer, prices: [{ ...config.offer.prices[0], amount: -1 }] },
      locales: ['nl', 'x'],
      branding: {
        ...config.branding,
        footer: { ...config.branding.footer, left: { nl: [{ type: 'link', title: 'x', url: 'javascript:alert(1)' }] } },
      },
      pages: [],
      extra: 1,
    }
    expect(await problems(await change(bente, wrong))).toEqual({
      pages: 'Dit veld bestaat niet.',
      extra: 'Dit veld bestaat niet.',
    })
    const { pages: _, extra: __, ...known } = wrong
    const reported = await problems(await change(bente, known))
    expect(reported).toMatchObject({
      brand: 'Dit is een verplicht veld!',
      url: 'Dit is geen geldig url! Alleen https:// en het domein horen hier, zoals https://www.voorbeeld.nl.',
      'palette.accent': 'Dit is geen kleur. Kies er een, of typ hem als #10B981.',
      'sender.email': 'Dit e-mailadres is niet geldig!',
      'legal.kvk': 'Een KvK-nummer heeft acht cijfers.',
      'legal.vat': 'Dit is geen btw-id. Typ het als NL001234567B01.',
      'business.openingHours.monday': 'De sluitingstijd ligt voor de openingstijd.',
      'business.sameAs.0': 'Dit is geen geldig url!',
      'business.geo.latitude': 'Dit getal is te groot: 90 is het meeste.',
      'contact.recipients': 'Dit is een verplicht veld!',
      'contact.retentionDays': 'Dit getal is te klein: 1 is het minste.',
      'offer.prices.0.amount': 'Dit getal is te klein: 0 is het minste.',
      'locales.1': 'Dit is geen taalcode. Voorbeelden van taalcodes zijn de, en en pt-BR.',
      'branding.footer.left.nl.0.url': 'Dit is geen geldig url!',
    })
    const persian = await bente.request('/api/config', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': 'fa' },
      body: JSON.stringify({ version: 0, config: { palette: { ...config.palette, accent: 'x' } } }),
    })
    expect((await problems(persian))['palette.accent']).toContain('این یک رنگ نیست')
    expect(await now(bente)).toMatchObject({ version: 0, config: { brand: config.brand } })
  })

  test('wrong and duplicate addresses, ids and anchors in a file are named in the language of the reader', async () => {
    const { bente } = await aSite()
    const wrongPages = defaultSiteFile()
    wrongPages.pages = wrongPages.pages.filter(({ slug }: { slug: string }) => slug !== 'disclaimer')
    const first = wrongPages.pages.length
    for (const slug of ['over', 'over', 'over ons', 'admin/x']) wrongPages.pages.push({ ...wrongPages.pages[1], slug })
    wrongPages.branding.footer.left.nl = [
      { type: 'line', id: 'a b', className: 'x"' },
      { type: 'faq', title: 'Vragen', anchor: 'Vragen!', items: [] },
    ]
    const inLanguage = async (locale: string) =>
      problems(
        await bente.request('/api/config/check', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Accept-Language': locale },
          body: JSON.stringify({ file: JSON.stringify(wrongPages) }),
        }),
      )
    expect(await inLanguage('nl')).toEqual({
      [`pages.${first + 1}.slug`]: 'Een andere pagina heeft dit adres al. Kies een ander.',
      [`pages.${first + 2}.slug`]: 'Gebruik letters, cijfers, - en _, en / tussen twee delen.',
      [`pages.${first + 3}.slug`]: 'De website gebruikt dit adres zelf. Kies een ander.',
      pages: 'De homepage (met een leeg adres), privacy-verklaring en disclaimer mogen niet ontbreken.',
      'branding.footer.left.nl.0.id': 'De id van een blok heeft hoogstens 40 letters, cijfers en streepjes.',
      'branding.footer.left.nl.0.className': 'Gebruik alleen letters, cijfers, spaties, - en _.',
      'branding.footer.left.nl.1.anchor': 'Gebruik alleen kleine letters, cijfers en streepjes.',
    })
    expect((await inLanguage('fa'))[`pages.${first + 1}.slug`]).toBe(
      'صفحهٔ دیگری این نشانی را دارد. نشانی دیگری انتخاب کنید.',
    )
  })

  test('a file with too many pages is refused by their number, before they are parsed', async () => {
    const { bente } = await aSite()
    const file = JSON.stringify({ ...defaultSiteFile(), pages: Array(200_000).fill({}) })
    const tooMany = { pages: 'Een configuratie kan hoogstens 1.000 pagina’s bevatten.' }
    expect(await problems(await bente.post('/api/config/check', { file }))).toEqual(tooMany)
    expect(await problems(await bente.post('/api/config/import', { file, version: 0 }))).toEqual(tooMany)
  })

  test('spec 3 menu: an item without a url needs a submenu', async () => {
    const { bente } = await aSite()
    const { config } = await now(bente)
    const items = [{ title: 'Leeg' }, { title: 'Vol', submenu: [{ title: 'Leeg', submenu: [] }] }]
    const navbar = { ...config.branding.navbar, top: { nl: [{ type: 'menu', menuType: 'desktop', items }] } }
    expect(await problems(await change(bente, { branding: { ...config.branding, navbar } }))).toEqual({
      'branding.navbar.top.nl.0.items.0.url': 'Dit is een verplicht veld!',
      'branding.navbar.top.nl.0.items.1.submenu.0.url': 'Dit is een verplicht veld!',
    })
  })
})
