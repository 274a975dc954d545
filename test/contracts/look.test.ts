import { expect, test } from 'vitest'
import { stylesheets } from '../../src/blocks/define-block.ts'
import { illustrationOf } from '../../src/blocks/illustrations.ts'
import { siteMenuItem } from '../../src/blocks/menu.tsx'
import { blockSchema } from '../../src/blocks/registry.ts'
import { appearanceOptions, defaultAppearance } from '../../src/contract/config-choices.ts'
import type { Configuration } from '../../src/contract/configuration.ts'
import { coloursOf } from '../../src/contract/palette.ts'
import { siteConfigSchema } from '../../src/contract/site-config.ts'
import { pageStylesheets } from '../../src/site/render-page.tsx'
import { siteStyle } from '../../src/site/site-style.ts'
import { databases } from '../support/databases.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const site = siteConfigSchema(blockSchema, siteMenuItem).parse(defaultSiteFile())

test.each(databases)('a look is saved and shown, and one that does not exist is refused, on %s', async (database) => {
  const site = await aTestApp({ database })
  const bente = await as(site, 'beheerder')
  const styleOf = async () => /<style>.*?<\/style>/s.exec(await (await site.request('/')).text())?.[0] ?? ''
  const save = async (look: object) => {
    const { version } = (await (await bente.get('/api/config')).json()) as Configuration
    return bente.put('/api/config', { version, config: { look } })
  }
  const before = await styleOf()

  const refused = await save({
    corners: 'heart',
    fonts: 'Comic Sans',
    header: 'spiral',
    illustration: 'https://example.com/a.svg',
  })
  expect(refused.status).toBe(422)
  expect((await refused.json()).errors.map(({ path }: { path: string }) => path)).toEqual([
    'look.corners',
    'look.fonts',
    'look.header',
    'look.illustration',
  ])

  expect((await save({ scale: 'loud', corners: 'square', edges: 'straight', buttons: 'outline' })).status).toBe(200)
  await waitUntil(async () => (await styleOf()) !== before, 'the look')
  expect(await styleOf()).toContain('--bend:0')

  expect((await save({ scale: 'normal', corners: 'soft', edges: 'wave', buttons: 'solid' })).status).toBe(200)
  await waitUntil(async () => (await styleOf()) === before, 'the usual look')
})

/** The other fields choose stylesheets and images: `test/journeys/look.test.ts` tests those. */
const inRules = ['scale', 'corners', 'edges', 'buttons', 'fonts', 'headings', 'panels'] as const

test.each(inRules.flatMap((name) => appearanceOptions[name].map((value) => [name, value] as const)))(
  'a look with %s %s gets a different stylesheet than with any other value',
  (name, value) => {
    const cssOf = (look: object) => siteStyle({ ...site, look }, 'nl', []).css
    const css = cssOf({ [name]: value })
    if (value === defaultAppearance[name]) expect(css).toBe(cssOf({}))
    for (const other of appearanceOptions[name]) if (other !== value) expect(css).not.toBe(cssOf({ [name]: other }))
  },
)

test('each stylesheet that blocks and pages name has a file', () => {
  expect(() => siteStyle(site, 'nl', stylesheets)).not.toThrow()
})

test('the footer and the style of headings and panels are linked with the lower blocks, and inline elsewhere', () => {
  const other = { ...site, look: { headings: 'ruled', panels: 'lined' } as const }
  const around = ['footer', 'opened-menus', 'headings/ruled', 'panels/lined', 'enlarged', 'print']
  expect(pageStylesheets(other, { body: [] }, { mayLink: true }).linked).toEqual([])
  expect(siteStyle(other, 'nl', []).css).toMatch(/^\.foot \{/m)
  const hero = { type: 'hero', showIf: 'always' } as const
  const { linked } = pageStylesheets(other, { body: [hero, { type: 'faq' }] as never }, { mayLink: true })
  expect(linked).toEqual(['faq', ...around])
  expect(siteStyle(other, 'nl', ['hero'], linked).css).not.toMatch(/^\.foot \{/m)
})

test('each illustration is shown behind the hero, on error pages and in the Open Graph image', () => {
  const illustrations = appearanceOptions.illustration.map((illustration) =>
    illustrationOf({ ...site, look: { illustration } }),
  )
  for (const render of [
    (one: (typeof illustrations)[number]) => one.renderHtml(),
    (one: (typeof illustrations)[number]) => one.renderOpenGraphSvg(coloursOf(site.palette, 'light')),
  ]) {
    const svgs = illustrations.map(render)
    expect(new Set(svgs).size).toBe(svgs.length)
    for (const svg of svgs) expect(svg).not.toMatch(/ style=|NaN|undefined/)
  }
  expect(illustrationOf(site).renderHtml()).toBe(illustrations[0]?.renderHtml())
})
