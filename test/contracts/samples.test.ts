import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import { sanitizeSvg } from '../../src/platform/images/sanitize-svg.ts'
import { findHtmlErrors } from '../support/html-errors.ts'
import type { SiteFile } from '../support/site-file.ts'
import { aTestApp } from '../support/test-app.ts'

const samples = readdirSync('samples', { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
/** The program takes 11, which saves a few bytes more and takes more than twice as long. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
const fileOf = (name: string) => join('samples', name, 'site.config.json')
/** The paths of all pages, in each language of the sample. */
function pathsOf(name: string): string[] {
  const { locales, pages } = JSON.parse(readFileSync(fileOf(name), 'utf8')) as SiteFile
  return locales.flatMap((locale: string) =>
    pages.map(({ slug, content }: SiteFile) => localizedPath(`/${content[locale].slug ?? slug}`, locale, {})),
  )
}

test('there are samples of a bakery, a builder and a notary', () => {
  expect(samples).toEqual(['bakery', 'builder', 'notary'])
})

test.each(samples)(
  'the %s: every page in each language is valid, filled in, light and without broken links',
  async (name) => {
    const { request } = await aTestApp({ settings: { siteConfig: fileOf(name) } })
    const paths = pathsOf(name)
    const pages = new Map<string, string>()
    for (const path of paths) {
      const answer = await request(path)
      expect([path, answer.status]).toEqual([path, 200])
      pages.set(path, await answer.text())
    }
    const isFound = new Map<string, boolean>()
    for (const [path, html] of pages) {
      expect(await findHtmlErrors(html), path).toEqual([])
      expect(html, `${path} is in another language`).toContain('<main id="inhoud">')
      const text = html.replace(/<(style|script).*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ')
      expect(text.match(/\[[a-z][\w.]*\]/gi) ?? [], `${path} has a placeholder`).toEqual([])
      expect(text).not.toMatch(/maaslicht|lorem/i)
      expect(brotliCompressSync(html, quality).length, path).toBeLessThanOrEqual(14 * 1024)

      const links = [...html.matchAll(/ (?:href|src)="([/#][^"]*)"/g)].map(([, url = '']) =>
        url.replaceAll('&amp;', '&'),
      )
      for (const link of new Set(links)) {
        const { pathname, search, hash } = new URL(link, `http://localhost${path}`)
        const target = pages.get(pathname)
        if (!target) {
          const url = pathname + search
          if (!isFound.has(url)) isFound.set(url, (await request(url)).status < 400)
          expect([link, isFound.get(url)]).toEqual([link, true])
        } else if (hash && hash !== '#dicht') expect(target, `${path} → ${link}`).toContain(`id="${hash.slice(1)}"`)
      }
      for (const [image] of html.matchAll(/<img src="\/pictures\/[^>]*>/g)) {
        expect(image).toMatch(/ width="\d+" height="\d+"/)
        expect(image).toMatch(/ loading="lazy"| fetchPriority="high"/)
      }
    }
  },
)

const images = ['public', ...samples.map((name) => join('samples', name, 'public'))].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile()),
)

test('every image in `public` and of the samples weighs at most 40 KB', () => {
  expect(images.filter((path) => statSync(path).size > 40 * 1024)).toEqual([])
})

test('every SVG in `public` and of the samples is already as clean as an uploaded one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svgs-'))
  try {
    for (const file of images.filter((path) => path.endsWith('.svg'))) {
      const to = join(folder, 'clean.svg')
      await sanitizeSvg({ kind: 'sanitize', file, to, maxPixels: 10_000_000, svg: limits.svg })
      expect(readFileSync(to, 'utf8') === readFileSync(file, 'utf8').trim(), file).toBe(true)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
