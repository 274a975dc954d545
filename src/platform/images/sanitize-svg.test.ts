import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { closeAfterTest } from '../../../test/support/close-after-test.ts'
import { anSvg } from '../../../test/support/uploads.ts'
import { limits } from '../../contract/limits.ts'
import { ImageRejected } from './image-tasks.ts'
import { sanitizeSvg } from './sanitize-svg.ts'

/** @returns the sanitized text, or nothing if the file is rejected */
async function sanitized(inside: string, before?: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'svg-'))
  closeAfterTest(() => rm(folder, { recursive: true }))
  const [file, to] = [join(folder, 'given.svg'), join(folder, 'clean.svg')]
  await writeFile(file, anSvg(inside, before))
  try {
    await sanitizeSvg({ kind: 'sanitize', file, to, maxPixels: 1_000_000, svg: limits.svg })
  } catch (error) {
    if (error instanceof ImageRejected) return undefined
    throw error
  }
  return readFile(to, 'utf8')
}

/** Public lists of scripts in SVG files: for each, what must be removed. */
const hostile: [what: string, inside: string, before?: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['a script elsewhere', '<script href="https://evil.example/x.js"/>'],
  ['a handler', '<g onload="alert(1)" onclick="alert(1)"><set attributeName="onmouseover" to="alert(1)"/></g>'],
  ['a link with a script', '<a xlink:href="javascript:alert(1)"><text>klik</text></a>'],
  ['a hidden script', '<a href="java&#x09;script:alert(1)"><text>klik</text></a>'],
  ['a link made later', '<a><animate attributeName="href" values="javascript:alert(1)"/><text>klik</text></a>'],
  [
    'a page inside',
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/></foreignObject>',
  ],
  ['a page of another language', '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>'],
  ['a shape from elsewhere', '<use href="https://evil.example/x.svg#a"/>'],
  ['a shape in an address', '<use href="data:image/svg+xml;base64,PHN2Zz4=#a"/>'],
  ['an image from elsewhere', '<image href="https://evil.example/pixel.png" width="1" height="1"/>'],
  ['an SVG in an SVG', '<image href="data:image/svg+xml,%3Csvg onload=alert(1)%3E" width="1" height="1"/>'],
  ['a style from elsewhere', '<style>@import url(https://evil.example/x.css);</style>'],
  ['a style with an escape', '<rect style="fill:u\\72l(https://evil.example/#a)" width="1" height="1"/>'],
  [
    'a style with an escape that ends with the line',
    '<rect style="fill:u\\72&#13;&#10;l(https://evil.example/#a)" width="1" height="1"/>',
  ],
  [
    'a stylesheet with an escape that ends with the line',
    '<style>@\\69&#13;&#10;mport "https://evil.example/x.css";</style>',
  ],
  ['a style with an escaped rule', '<style>@\\69mport "https://evil.example/x.css";</style>'],
  [
    'a style with a comment',
    '<style>@im/**/port "https://evil.example/x.css"; .a{fill:url(/**/https://evil.example/#a)}</style>',
  ],
  [
    'a style with comment signs in strings',
    `<rect style="font-family:'/*';fill:url(https://evil.example/x.svg#a);stroke:'*/'" width="1" height="1"/>`,
  ],
  [
    'a stylesheet with comment signs in strings',
    `<style>.a{font-family:"/*";fill:url(https://evil.example/x.svg#a);stroke:"*/"}</style>`,
  ],
  ['a set of images', '<style>.a{background:image-set("https://evil.example/x.png" 1x)}</style>'],
  [
    'a set of images by its old name',
    '<rect style="mask:-webkit-image-set(\'https://evil.example/x.png\' 1x)" width="1" height="1"/>',
  ],
  ['a style with src()', '<style>.a{fill:src("https://evil.example/#a")}</style>'],
  ['a style that calls', '<rect style="fill:url(https://evil.example/#a)" width="1" height="1"/>'],
  ['a style that calls with spaces', '<rect style="fill:url(  \'https://evil.example/#a\')" width="1" height="1"/>'],
  [
    'a style that calls with spaces in a string',
    '<rect style="fill:url( \' https://evil.example/#a\')" width="1" height="1"/>',
  ],
  ['a style that calls a wide escape', '<style>.a{fill:u\\000072 l( "http://evil.example/#a")}</style>'],
  [
    'a style that calls with a comment before the string',
    '<style>.a{fill:url( /**/ "https://evil.example/#a")}</style>',
  ],
  ['a stylesheet before it', '<rect width="1" height="1"/>', '<?xml-stylesheet href="https://evil.example/x.xsl"?>'],
  ['a file of the server', '<text>&passwd;</text>', '<!DOCTYPE svg [<!ENTITY passwd SYSTEM "file:///etc/passwd">]>'],
]

test.each(hostile)('%s is removed', async (_what, inside, before) => {
  const clean = await sanitized(inside, before)
  if (clean === undefined) return
  expect(clean).toMatch(/^<svg /)
  // The text that is left is no script.
  const marks = clean.replace(/>[^<]*</g, '><')
  expect(marks).not.toMatch(/alert|script|evil|on\w+=|foreignObject|xhtml|svg\+xml/i)
  expect(clean).not.toMatch(/@import|evil|root:/)
})

test.each(['url(#a)', "url('#a')", "url( '#a' )", 'url(  #a)', "url( ' #a')"])(
  'a reference within the file, %s, is kept',
  async (reference) => {
    const clean = await sanitized(
      `<style>.a{fill:${reference}}</style><rect style="fill:${reference}" width="1" height="1"/>`,
    )
    expect(clean?.split(reference)).toHaveLength(3)
  },
)

test('an SVG style full of spaces, up to the size limit of a file, is checked in a moment', async () => {
  const spaces = ' '.repeat(limits.svg.bytes)
  expect(await sanitized(`<style>.a{fill:url(${spaces}https://evil.example/#a)}</style>`)).not.toContain('evil')
})
