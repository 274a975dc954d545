import { expect, test } from 'vitest'
import { menuTreeItem } from '../../src/blocks/menu.tsx'
import { blockSchema } from '../../src/blocks/registry.ts'
import type { Configuration } from '../../src/contract/configuration.ts'
import { looks, siteConfigSchema, usualLook } from '../../src/contract/site-config.ts'
import { siteStyle } from '../../src/site/site-style.ts'
import { databases } from '../support/databases.ts'
import { deliveredSite } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const site = siteConfigSchema(blockSchema, menuTreeItem).parse(deliveredSite())

test.each(databases)('a look is saved and shown, and one that does not exist is refused, on %s', async (database) => {
  const site = await aTestApp({ database })
  const bente = await as(site, 'beheerder')
  const styleOf = async () => /<style>.*?<\/style>/s.exec(await (await site.request('/')).text())?.[0] ?? ''
  const save = async (look: object) => {
    const { version } = (await (await bente.get('/api/config')).json()) as Configuration
    return bente.put('/api/config', { version, config: { look } })
  }
  const before = await styleOf()

  const refused = await save({ corners: 'heart', fonts: 'Comic Sans' })
  expect(refused.status).toBe(422)
  expect((await refused.json()).errors.map(({ path }: { path: string }) => path)).toEqual([
    'look.corners',
    'look.fonts',
  ])

  expect((await save({ scale: 'loud', corners: 'square', edges: 'straight', buttons: 'outline' })).status).toBe(200)
  await waitUntil(async () => (await styleOf()) !== before, 'the look')
  expect(await styleOf()).toContain('--bend:0')

  expect((await save({ scale: 'normal', corners: 'soft', edges: 'wave', buttons: 'solid' })).status).toBe(200)
  await waitUntil(async () => (await styleOf()) === before, 'the usual look')
})

test.each(Object.entries(looks).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
  'a look with %s %s changes only that',
  async (name, value) => {
    const css = siteStyle({ ...site, look: { [name]: value } }, 'nl', []).css
    const usual = siteStyle(site, 'nl', []).css
    if (value === usualLook[name as keyof typeof usualLook]) return expect(css).toBe(usual)
    expect(css).not.toBe(usual)
    for (const other of looks[name as keyof typeof looks])
      if (other !== value) expect(css).not.toBe(siteStyle({ ...site, look: { [name]: other } }, 'nl', []).css)
  },
)
