import { beforeAll, describe, expect, test } from 'vitest'
import type { ListedPage, PageInLocale } from '../../src/contract/pages.ts'
import { isSafeUrl } from '../../src/contract/url.ts'
import { blockTypes, fieldPathsOf, filledBlock, withValue } from '../support/filled-blocks.ts'
import { parseHtml } from '../support/parse-html.ts'
import { forbiddenUrls, scriptPayloads } from '../support/script-payloads.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

let site: TestApp
let boss: SignedIn
let made: PageInLocale
let section: string
beforeAll(async () => {
  site = await aTestApp()
  boss = await as(site, 'beheerder')
  const { id } = (await (await boss.post('/api/pages', { locale: 'nl', title: 'Aanval' })).json()) as ListedPage
  made = (await (await boss.get(`/api/pages/${id}/nl`)).json()) as PageInLocale
  section = (await (await boss.post('/api/sections', { name: 'Aanval', nl: [{ type: 'line' }] })).json()).id
})

async function saved(body: unknown[]): Promise<Response> {
  const answer = await boss.put(`/api/pages/${made.id}/nl`, {
    text: { ...made.text, body },
    version: made.version,
    publish: true,
  })
  if (answer.ok) made = { ...made, version: ((await answer.clone().json()) as PageInLocale).version }
  return answer
}

/** Elements and attributes that can run a script. */
function dangersIn(html: string): string[] {
  // What stands before it takes long to parse.
  const main = parseHtml(html.slice(html.indexOf('<main'))).querySelector('main')
  // Our own styles of the blocks below the first.
  const elements = [...(main?.querySelectorAll('*:not(link[rel="stylesheet"][href^="/assets/blocks-"])') ?? [])]
  return elements.flatMap((element) => {
    const strange =
      /^(?:script|style|iframe|object|embed|base|link|meta|math)$/i.test(element.tagName) ||
      (/^(?:video|source)$/i.test(element.tagName) && element.matches('[src]:not([src="/film.webm"])')) ||
      (/^track$/i.test(element.tagName) && element.matches('[src]:not([src="/film.vtt"])'))
    const attributes = element.getAttributeNames().map((name) => ({ name, value: element.getAttribute(name) ?? '' }))
    const dangerous = attributes.filter(({ name, value }) => {
      if (/^on|^style$|^srcdoc$|^formaction$/i.test(name)) return true
      return /^(?:href|src|action|xlink:href)$/i.test(name) && !isSafeUrl(value) && !value.startsWith('data:image/')
    })
    return [...(strange ? [element.outerHTML] : []), ...dangerous.map(({ name, value }) => `${name}=${value}`)]
  })
}

test('the check finds dangerous HTML', () => {
  const page = '<main><p onclick="x()">a</p><a href="javascript:x()">b</a><script>x()</script></main>'
  expect(dangersIn(page)).toHaveLength(3)
})

describe('script in every field of every block', () => {
  test.each(scriptPayloads)('%s is shown as text on the page', async (payload) => {
    const filled = blockTypes.map((type) => filledBlock(type, payload))
    const nl = filled.filter(({ type }) => type !== 'section')
    const savedSection = await boss.put(`/api/sections/${section}`, { name: 'Aanval', nl })
    expect([savedSection.status, savedSection.ok ? '' : await savedSection.text()]).toEqual([200, ''])
    const answer = await saved(filled.map((block) => (block.type === 'section' ? { ...block, section } : block)))
    expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, ''])
    await expect.poll(async () => (await site.request('/aanval')).status).toBe(200)
    const html = await (await site.request('/aanval')).text()
    expect(html).toContain('<main')
    expect(dangersIn(html)).toEqual([])
    // The stored text is already sanitised.
    const stored = JSON.stringify((await (await boss.get(`/api/pages/${made.id}/nl`)).json()) as PageInLocale)
    expect(stored).not.toMatch(/"(?:content|answer)":"[^"]*<(?:script|img|svg|iframe)/i)
  })
})

/** The fields in which an address is typed; in `film`, `captions` and `file` one only chooses. */
const addresses = (type: (typeof blockTypes)[number]) => fieldPathsOf(type, ['url', 'image', 'imageOrLogo', 'video'])
const fields = blockTypes.flatMap((type) =>
  fieldPathsOf(type, ['url', 'image', 'imageOrLogo', 'film', 'captions', 'video', 'file'])
    // The style is the same in every block.
    .filter((path) => !path.startsWith('style.') || type === 'line')
    .map((path) => [type, path] as const),
)

describe('unsafe URLs', () => {
  test('every block with a URL field is tested', () => expect(fields.length).toBeGreaterThan(10))

  test.each(fields)('a %s refuses each unsafe URL in %s, at that field', async (type, path) => {
    // A response lists twenty problems.
    for (const urls of [forbiddenUrls.slice(0, 20), forbiddenUrls.slice(20)]) {
      const answer = await saved(urls.map((url) => withValue(filledBlock(type, 'Hoi'), path, url)))
      expect(answer.status).toBe(422)
      const { errors } = (await answer.json()) as { errors: { path: string; message: string }[] }
      expect(errors.map((one) => one.path)).toEqual(urls.map((_, index) => `text.body.${index}.${path}`))
      if (!addresses(type).includes(path)) continue
      for (const { message } of errors) expect(message).toMatch(/^Dit is geen geldig url!( |$)/)
    }
  })
})
