import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { configurationJsonSchema, parseConfiguration } from '../../src/domain/configuration/configuration.ts'
import { InvalidConfiguration, readSiteFile, upgradeConfiguration } from '../../src/platform/config/site-file.ts'
import { aTempFolder } from '../support/databases.ts'
import { defaultSiteFile, type SiteFile, writeSiteFile } from '../support/site-file.ts'

const older: SiteFile = JSON.parse(readFileSync('test/support/site-1.1.json', 'utf8'))
const read = (config: unknown) => parseConfiguration(JSON.stringify(config), 'site.config.json')

/** The errors of `work`: path and reason of each. */
function refusal(work: () => unknown): { path: string; reason: string }[] {
  try {
    work()
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.problems
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the default files', () => {
  test('site.config.json has version 1.2 and names its schema', () => {
    expect(read(defaultSiteFile()).version).toBe('1.2')
    expect(defaultSiteFile().$schema).toBe('./site.schema.json')
  })

  test('site.schema.json is up to date (npm run schema writes it)', () => {
    expect(readFileSync('site.schema.json', 'utf8')).toBe(`${JSON.stringify(configurationJsonSchema(), null, 2)}\n`)
  })

  test('spec 1 and 9: two recipients, opening hours, price range, area, locales and palette', () => {
    const site = read(defaultSiteFile())
    const hours = { opens: '09:00', closes: '18:00' }
    expect(site.contact).toMatchObject({
      type: 'api',
      action: '/api/contact',
      subject: 'Nieuw contactbericht via [brand]',
    })
    expect(site.contact.recipients).toHaveLength(2)
    expect(
      site.contact.fields.map(({ name, type, placeholder, autocomplete }) => [
        name,
        type,
        placeholder.nl,
        autocomplete,
      ]),
    ).toEqual([
      ['naam', 'single-line', 'Naam', 'name'],
      ['email', 'single-line', 'E-Mail', 'email'],
      ['tel', 'single-line', 'Tel', 'tel'],
      ['bericht', 'multi-line', 'Bericht', undefined],
    ])
    expect(site.business).toMatchObject({
      type: 'ProfessionalService',
      openingHours: {
        monday: hours,
        tuesday: hours,
        wednesday: hours,
        thursday: hours,
        friday: hours,
        saturday: null,
        sunday: null,
      },
      priceRange: '€€',
      areaServed: 'NL',
    })
    expect(site.locales).toEqual(['nl', 'fa'])
    expect(site.palette).toEqual({
      primary: '#10B981',
      secondary: '#E6F9F2',
      accent: '#047857',
      light: '#FFFFFF',
      dark: '#2D2D2A',
    })
  })
})

describe('an older version', () => {
  test('1.1 is upgraded to 1.2: texts become Dutch, hours are per day, the recipient is a list', () => {
    const site = read(older)
    expect(site).toMatchObject({
      version: '1.2',
      tagline: { nl: 'Brood uit Wyck' },
      seo: { keywords: { nl: ['bakker', 'brood', 'Maastricht'] } },
      locales: ['nl'],
      contact: { recipients: ['winkel@bakkerij-hondt.example'], retentionDays: 365 },
    })
    expect(site.logo).toEqual({ src: '/logo.svg' })
    expect(site.business.openingHours).toEqual({
      monday: null,
      tuesday: { opens: '07:30', closes: '17:00' },
      wednesday: { opens: '07:30', closes: '17:00' },
      thursday: { opens: '07:30', closes: '17:00' },
      friday: { opens: '07:30', closes: '17:00' },
      saturday: { opens: '07:30', closes: '17:00' },
      sunday: null,
    })
    expect(site.contact.fields.map((field) => field.placeholder)).toEqual([
      { nl: 'Naam' },
      { nl: 'E-Mail' },
      { nl: 'Tel' },
      { nl: 'Bericht' },
    ])
    expect(site.offer.prices[0]).toMatchObject({
      name: { nl: 'Bruidstaart' },
      amount: 24_500,
      term: { nl: 'Twee weken vooraf bestellen.' },
    })
    expect(site.offer.subscriptions[0]).toMatchObject({ features: { nl: ['Aan huis bezorgd'] }, from: false })
    expect(site.branding.footer.right.nl?.[0]).toMatchObject({ type: 'link', title: 'Bel ons' })
    expect(site.pages.map((page) => page.content.nl?.title)).toEqual([
      'Brood uit Wyck',
      'Privacyverklaring',
      'Disclaimer',
    ])
  })

  test('a byte order mark is ignored', () => {
    expect(upgradeConfiguration(`\uFEFF${JSON.stringify(older)}`, 'x').version).toBe('1.2')
  })

  test.each(['never', 'Xx-Fr 09:00-18:00', 'Fr-Mo 09:00-18:00'])(
    'hours that cannot be read (%s) are named',
    (openingHours) => {
      const problems = refusal(() => read({ ...older, business: { ...older.business, openingHours } }))
      expect(problems.map((problem) => problem.path)).toEqual(['business.openingHours'])
    },
  )
})

describe('an invalid file is refused, with path and reason', () => {
  test.each(['1.3', '2.0', '10.0'])('version %s is newer', (version) => {
    expect(refusal(() => read({ ...defaultSiteFile(), version }))).toEqual([
      { path: 'version', reason: expect.stringContaining(`${version} is newer than 1.2`) },
    ])
  })

  test.each(['1.0', '0.9', '', 'latest', '__proto__', 'constructor'])('version %j is unknown', (version) => {
    expect(refusal(() => read({ ...defaultSiteFile(), version }))).toEqual([
      { path: 'version', reason: expect.stringContaining('this program reads 1.1, 1.2') },
    ])
  })

  test.each([undefined, null, 1.2, {}])('version %j is missing or not a string', (version) => {
    expect(refusal(() => read({ ...defaultSiteFile(), version }))).toMatchObject([{ path: 'version' }])
  })

  test.each(['', '{', '[]', 'null', '"1.2"', '{"version": "1.2",}'])('%j is not a configuration', (text) => {
    expect(refusal(() => parseConfiguration(text, 'site.config.json'))).toMatchObject([{ path: '' }])
  })

  test('all invalid paths are in one message', () => {
    const path = writeSiteFile(aTempFolder(), (config) => {
      config.palette.primary = 'green'
      config.contact.recipients = ['not an address']
      config.pages = config.pages.filter((page: { slug: string }) => page.slug !== 'disclaimer')
      config.pages[0].content.nl.body[0].colour = 'red'
      config.surprise = true
    })
    const problems = refusal(() => parseConfiguration(readSiteFile(path), path))
    expect(problems.map((problem) => problem.path).sort()).toEqual(
      ['', 'contact.recipients.0', 'pages', 'pages.0.content.nl.body.0', 'palette.primary'].sort(),
    )
    expect(() => parseConfiguration(readSiteFile(path), path)).toThrow(
      /palette\.primary: A colour like #10B981 is wanted/,
    )
    expect(() => parseConfiguration(readSiteFile(path), path)).toThrow(new RegExp(`^${path} cannot be used`))
  })

  test.each([
    'https://maaslicht.example/',
    'https://maaslicht.example/site',
    'https://maaslicht.example?x=1',
    'https://maaslicht.example#top',
    'https://user:password@maaslicht.example',
    'ftp://maaslicht.example',
    'maaslicht.example',
  ])('the url %s, because only scheme and host are allowed', (url) => {
    expect(refusal(() => read({ ...defaultSiteFile(), url }))).toContainEqual({
      path: 'url',
      reason: 'Scheme and host alone are wanted, like https://www.example.nl',
    })
  })

  const withSlugs = (...slugs: string[]) => {
    const config = defaultSiteFile()
    config.pages.splice(3)
    for (const slug of slugs) config.pages.push({ ...structuredClone(config.pages[1]), slug })
    return config
  }

  /** The slugs that are refused when each is that of a page, with the reason. */
  const refusedSlugs = (slugs: string[]) => {
    const problems = refusal(() => read(withSlugs(...slugs)))
    expect(problems).toHaveLength(slugs.length)
    return problems.map(({ path, reason }) => [slugs[Number(/^pages\.(\d+)\.slug$/.exec(path)?.[1]) - 3], reason])
  }

  test('pages with forbidden characters in their slugs', () => {
    const slugs = [
      ...['foo/', '/foo', 'a//b', ' ', 'over ons', 'a?b', 'a#b', 'a%20b', 'a\\b', '../x', './x', 'robots.txt'],
      'x\u0000',
    ]
    const reason = expect.stringContaining('Letters, digits, - and _ are wanted')
    expect(refusedSlugs(slugs)).toEqual(expect.arrayContaining(slugs.map((slug) => [slug, reason])))
  })

  test('pages at addresses that the program uses itself', () => {
    const slugs = [
      ...['fa', 'fa/x', 'nl', 'api/x', 'healthz', 'readyz', 'metrics', 'login', 'Admin', 'admin/x', 'user', 'setup'],
      ...['files', 'assets', 'wachtwoord'],
    ]
    const reason = (slug: string) => `The site itself uses this address: /${slug.split('/')[0]?.toLowerCase()}`
    expect(refusedSlugs(slugs)).toEqual(expect.arrayContaining(slugs.map((slug) => [slug, reason(slug)])))
  })

  test('a page with the slug of an earlier one, also in another Unicode normalisation', () => {
    expect(refusal(() => read(withSlugs('disclaimer', 'café', 'café'.normalize('NFD'))))).toEqual([
      { path: 'pages.3.slug', reason: expect.stringMatching(/another has this one already: pages\.2$/) },
      { path: 'pages.5.slug', reason: expect.stringMatching(/another has this one already: pages\.4$/) },
    ])
  })

  test('slugs with several segments and in any script are accepted, in normalised form', () => {
    const slugs = ['over-ons', 'diensten/web_winkels', 'خدمات/می\u200cزبانی', 'café'.normalize('NFD')]
    const { pages } = read(withSlugs(...slugs))
    expect(pages.slice(3).map((page) => page.slug)).toEqual(slugs.map((slug) => slug.normalize('NFC')))
  })

  test.each([
    '/../package.json',
    '/../data/secret',
    '/..svg/../x.svg',
    '//cdn.example/logo.svg',
    'https://cdn.example/logo.svg',
    '#',
    'mailto:a@b.example',
    'logo.svg',
    '/.hidden.svg',
    '/logo.html',
    '/logo.svg?x',
  ])('a logo at %s', (src) => {
    const config = defaultSiteFile()
    config.logo.src = src
    expect(refusal(() => read(config))).toEqual([
      { path: 'logo.src', reason: expect.stringContaining('The path of an svg, png, jpg or webp under public') },
    ])
  })

  test('a missing logo', () => {
    const config = defaultSiteFile()
    config.logo.src = '/gone.svg'
    expect(refusal(() => read(config))).toEqual([{ path: 'logo.src', reason: 'there is no file public/gone.svg' }])
  })

  test('a missing file is named in the error', () => {
    const path = join(aTempFolder(), 'gone.json')
    expect(() => readSiteFile(path)).toThrow(InvalidConfiguration)
    expect(() => readSiteFile(path)).toThrow(path)
  })
})

describe('for any file content', () => {
  const holds = (text: string) => {
    try {
      parseConfiguration(text, 'x')
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidConfiguration)
    }
  }

  test('any text is read or refused', () => {
    fc.assert(fc.property(fc.string(), holds), { numRuns: 200 })
  })

  test('any JSON with a version is read or refused', () => {
    const any = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom('1.1', '1.2', '1.3'))
    fc.assert(
      fc.property(any, ([config, version]) => holds(JSON.stringify({ ...config, version }))),
      { numRuns: 200 },
    )
  })

  test.each([
    ['1.1', older],
    ['1.2', defaultSiteFile()],
  ])('a valid %s file in which one value is replaced by any other is read or refused', (_version, good) => {
    const paths = placesIn(good)
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) =>
        holds(JSON.stringify(withValue(good, path, value))),
      ),
      { numRuns: 150 },
    )
  })
})

function placesIn(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([key, one]) => placesIn(one, [...at, key]))
  return at.length === 0 ? inner : [at, ...inner]
}

function withValue(config: SiteFile, path: string[], value: unknown): SiteFile {
  const copy = structuredClone(config)
  let inner = copy
  for (const key of path.slice(0, -1)) inner = inner[key]
  inner[path.at(-1) as string] = value
  return copy
}
