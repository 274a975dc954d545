import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { siteMenuItem } from '../blocks/menu.tsx'
import { blockSchema } from '../blocks/registry.ts'
import { type StoredBlock, siteConfigSchema } from '../contract/site-config.ts'
import { createRenderContext } from './render-context.ts'
import { renderPage } from './render-page.tsx'

test('the block cache holds all blocks of a large page, although they contain many links', () => {
  const site = siteConfigSchema(blockSchema, siteMenuItem).parse(JSON.parse(readFileSync('site.config.json', 'utf8')))
  const menuPages = new Map()
  const folder = `/${'een-lang-adres-'.repeat(6)}`
  const links = Array.from({ length: 500 }, (_, index) => [`${folder}${index}`, `${folder}nieuw-${index}`] as const)
  const body = links
    .slice(0, 100)
    .map(([url]) => `<p><a href="${url}">verder</a></p>`)
    .map((content) => blockSchema.parse({ type: 'rich-text', content }) as StoredBlock)
  /** How many links in blocks were resolved; a later request has a map of its own. */
  const request = () => {
    const linkedPaths = new Map(links)
    const get = vi.spyOn(linkedPaths, 'get')
    const now = new Date('2026-11-21T12:00:00Z')
    const context = createRenderContext({
      site,
      menuPages,
      locale: 'nl',
      path: '/',
      now,
      viewer: { name: 'Roya' },
      linkedPaths,
      cacheBlocks: true,
    })
    const page = { title: 'Ons werk', description: '', slug: 'ons-werk', body }
    const html = renderPage({ context, page, alternates: [], origin: 'https://www.example' })
    return { html, resolved: get.mock.calls.filter(([path]) => path.startsWith(folder)).length }
  }
  const [first, later] = [request(), request()]
  expect([first.resolved, later.resolved]).toEqual([body.length, 0])
  expect(first.html).toContain(`href="${folder}nieuw-99"`)
  expect(later.html).toBe(first.html)
})
