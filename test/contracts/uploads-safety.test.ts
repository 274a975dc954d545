import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anSvg, aPdf, aPhoto, upload, uploadFile, waitUntilProcessed } from '../support/uploads.ts'

const text = (content: string) => new Uint8Array(Buffer.from(content))

async function aSite(limits?: { maxBytes: number; maxPixels: number }, imageProcesses = false) {
  const uploads = limits && { ...limits, quotaBytes: undefined }
  const site = await aTestApp({ imageProcesses, ...(uploads && { settings: { uploads } }) })
  return { site, rik: await as(site, 'redacteur') }
}

/** A refused upload leaves nothing behind. */
async function leftOf({ db, settings }: TestApp) {
  const rows = await db.selectFrom('file').select('name').execute()
  const folders = ['arriving', 'files'].flatMap((name) => {
    try {
      return readdirSync(join(settings.dataDir, name))
    } catch {
      return []
    }
  })
  return [...rows, ...folders]
}

async function refusal(who: SignedIn, name: string, body: Uint8Array<ArrayBuffer>) {
  const answer = await upload(who, name, body)
  const { errors } = (await answer.json()) as { errors: { path: string; message: string }[] }
  return [answer.status, ...errors.map(({ path, message }) => `${path}: ${message}`)]
}

describe('the type of a file is detected from its content', () => {
  test('a wrong file name is corrected, and cannot be used for path traversal', async () => {
    const { site, rik } = await aSite()
    for (const [given, shown] of [
      ['../../etc/passwd', 'passwd.jpg'],
      ['عکس گروهی ما در کنار رود.JPG', 'عکس گروهی ما در کنار رود.jpg'],
    ] as const) {
      const { id, name, url } = await uploadFile(rik, given, await aPhoto(60, 60))
      expect([given, name]).toEqual([given, shown])
      expect(url).toBe(`/files/${url.split('/')[2]}/${encodeURIComponent(shown)}`)
      await rik.delete(`/api/files/${id}`)
    }
    await expect.poll(() => leftOf(site)).toEqual([])
  })

  test('no page, script, program or plain text is accepted, whatever its name says', async () => {
    const { site, rik } = await aSite()
    for (const [what, name, body] of [
      ['an HTML page named as an image', 'foto.jpg', text('<!doctype html><script>alert(1)</script>')],
      [
        'an HTML page with an SVG in it',
        'tekening.svg',
        text('<html><svg xmlns="http://www.w3.org/2000/svg"></svg></html>'),
      ],
      ['a script', 'script.js', text('alert(1)')],
      ['a program', 'rekenmachine.png', new Uint8Array([0x4d, 0x5a, ...Array(200).fill(0)])],
      ['plain text', 'lijst.csv', text('naam;bedrag\r\n=1+1;2')],
    ] as const) {
      const [status, message] = await refusal(rik, name, body)
      expect([415, 422], what).toContain(status)
      expect(message, what).toMatch(/^file: (Deze soort kan hier niet|Dit bestand is beschadigd)/)
      await expect.poll(() => leftOf(site), { message: what }).toEqual([])
    }
  })

  test('empty, truncated and corrupt images are refused with the reason', async () => {
    const { site, rik } = await aSite(undefined, true)
    const photo = await aPhoto(200, 200)
    const broken = photo.slice()
    broken.fill(0, 30)
    expect(await refusal(rik, 'leeg.jpg', text(''))).toEqual([422, 'file: Dit bestand is leeg.'])
    for (const body of [photo.slice(0, photo.length / 2), broken, text('\u0089PNG\r\n')]) {
      const [status, message] = await refusal(rik, 'stuk.jpg', body)
      expect([422, 415]).toContain(status)
      expect(message).toMatch(/^file: /)
    }
    await expect.poll(() => leftOf(site)).toEqual([])
  })

  test('a polyglot file is served as its detected type, and cannot run', async () => {
    const { site, rik } = await aSite()
    const polyglot = Buffer.concat([await aPhoto(64, 64), Buffer.from('<script>alert(document.cookie)</script>')])
    const { id, url } = await uploadFile(rik, 'polyglot.html', new Uint8Array(polyglot))
    await waitUntilProcessed(rik, id)
    const answer = await site.request(url)
    const served = Buffer.from(await answer.arrayBuffer())
    expect(served.includes('<script>')).toBe(false)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    })
    const zip = text(`PK\u0005\u0006${'\0'.repeat(18)}`)
    const archive = await uploadFile(rik, 'pagina.html', zip)
    expect(archive.name).toBe('pagina.zip')
    const given = await site.request(archive.url)
    expect(given.headers.get('content-disposition')).toMatch(/^attachment/)
    await given.arrayBuffer()
  })

  test('a Persian file name is sent to the browser unchanged', async () => {
    const { site, rik } = await aSite()
    const { url } = await uploadFile(rik, 'قرارداد «نمونه».pdf', aPdf())
    const answer = await site.request(url)
    await answer.arrayBuffer()
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename=file.pdf; filename*=UTF-8''${encodeURIComponent('قرارداد «نمونه».pdf')}`,
    )
  })
})

describe('limits', () => {
  test('the size is checked before the body is read, and while it is read', async () => {
    const { site, rik } = await aSite({ maxBytes: 3_000_000, maxPixels: 1_000_000 })
    const tooLarge = [413, 'file: Dit bestand is groter dan 3 MB. Maak het kleiner en probeer het opnieuw.']
    expect(await refusal(rik, 'groot.pdf', aPdf('x'.repeat(3_000_000)))).toEqual(tooLarge)

    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
    })
    const answer = await rik.request('/api/files?name=eindeloos.pdf', {
      method: 'POST',
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
    await expect.poll(() => leftOf(site)).toEqual([])
  })

  test('an image with too many pixels or frames is refused, with the limit', async () => {
    const { site, rik } = await aSite({ maxBytes: 3_000_000, maxPixels: 1_000_000 })
    const huge = await sharp({ create: { width: 1_250, height: 801, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const tooManyPixels = [
      422,
      'file: Deze afbeelding heeft meer dan 1 miljoen pixels. Maak haar kleiner en probeer het opnieuw.',
    ]
    expect(await refusal(rik, 'bom.png', new Uint8Array(huge))).toEqual(tooManyPixels)

    const frames = await anAnimation(120, 100)
    expect(await refusal(rik, 'lang.gif', frames)).toEqual(tooManyPixels)
    expect(await refusal(rik, 'veel.gif', await anAnimation(501, 4))).toEqual([
      422,
      'file: Deze animatie heeft meer dan 500 beelden.',
    ])
    await expect.poll(() => leftOf(site)).toEqual([])
  })

  test('an animated image stays animated', async () => {
    const { site, rik } = await aSite()
    const file = await uploadFile(rik, 'golf.gif', await anAnimation(5, 40))
    expect(file).toMatchObject({ animated: true, width: 40, height: 40 })
    await waitUntilProcessed(rik, file.id)
    const served = await sharp(Buffer.from(await (await site.request(file.url)).arrayBuffer())).metadata()
    expect([served.format, served.pages]).toEqual(['gif', 5])
    expect((await rik.put(`/api/files/${file.id}`, { crop: { x: 0, y: 0, width: 20, height: 20 } })).status).toBe(422)
  })
})

describe('uploads in the queue', () => {
  test('an upload whose client has disconnected is not processed', async () => {
    const { site, rik } = await aSite()
    const send = (name: string, body: Uint8Array<ArrayBuffer>, signal?: AbortSignal) =>
      rik.request(`/api/files?name=${name}`, { method: 'POST', body, ...(signal && { signal }) })
    const first = send('eerste.pdf', aPdf('Eerste'))
    const sender = new AbortController()
    const second = send('tweede.pdf', aPdf('Tweede'), sender.signal)
    sender.abort()
    expect([(await first).status, (await second).status]).toEqual([201, 400])
    expect(await site.db.selectFrom('file').select('name').execute()).toEqual([{ name: 'eerste.pdf' }])
  })
})

describe('SVG files', () => {
  test('a script is removed, and what is left is served as an image that can run nothing', async () => {
    const { site, rik } = await aSite(undefined, true)
    const { url } = await uploadFile(rik, 'tekening.svg', anSvg('<script>alert(1)</script><g onload="alert(1)"/>'))
    const given = await site.request(url)
    expect(await given.text()).toBe(Buffer.from(anSvg('<g/>')).toString())
    expect(Object.fromEntries(given.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    })
  })

  test('the shapes of an SVG are unchanged', async () => {
    const { site, rik } = await aSite()
    const inside =
      '<style>.a{fill:url(#b)}</style><defs><linearGradient id="b" gradientTransform="rotate(9)"><stop offset="0" stop-color="red"/></linearGradient><rect id="r" width="5" height="5"/></defs><use xlink:href="#r" class="a"/>'
    const { url, picture, width, height } = await uploadFile(rik, 'logo.svg', anSvg(inside))
    const clean = await (await site.request(url)).text()
    expect(clean).toContain(inside)
    expect([width, height, picture?.src]).toEqual([40, 20, url])
  })

  test('an SVG with too many elements or attributes, or that is nested too deeply, is refused with the limit, before it is built', async () => {
    const { site, rik } = await aSite()
    for (const [what, inside, message] of [
      [
        'many parts',
        '<g/>'.repeat(50_001),
        'Een svg mag uit hoogstens 50.000 onderdelen bestaan. Maak de tekening eenvoudiger.',
      ],
      [
        'many attributes of one part',
        `<g ${Array.from({ length: 150_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
        'Een onderdeel van een svg mag hoogstens 500 eigenschappen hebben.',
      ],
      [
        'parts deep in each other, whatever comments say',
        `${'<g a="/>"><!-- </g> -->'.repeat(10_000)}${'</g>'.repeat(10_000)}`,
        'De onderdelen van een svg mogen hoogstens 200 lagen diep in elkaar zitten.',
      ],
    ] as const) {
      expect(await refusal(rik, 'bom.svg', anSvg(inside)), what).toEqual([422, `file: ${message}`])
      await expect.poll(() => leftOf(site), { message: what }).toEqual([])
    }
  })

  test('an SVG within the limits is accepted, with a declaration and comments', async () => {
    const { rik } = await aSite()
    const nested = `${'<g>'.repeat(150)}<rect width="1" height="1"/>${'</g>'.repeat(150)}`
    const before = '<?xml version="1.0"?><!DOCTYPE svg [<!-- don\'t [ --><!ENTITY a "<g>">]>'
    const body = anSvg(`<!-- <g> -->${nested.repeat(10)}<style><![CDATA[ .a > .b {fill:red} ]]></style>`, before)
    expect((await upload(rik, 'kaart.svg', body)).status).toBe(201)
  })

  test('an SVG that expands without end is refused', async () => {
    const { site, rik } = await aSite()
    const level = (index: number) => `<g id="a${index}">${`<use href="#a${index - 1}"/>`.repeat(10)}</g>`
    const shapes = Array.from({ length: 9 }, (_, index) => level(index + 1)).join('')
    const uses = anSvg(`<g id="a0"/>${shapes}<use href="#a9"/>`)
    const entities = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
    ).join('')
    const laughs = anSvg('<text>&e9;</text>', `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities}]>`)
    expect(await refusal(rik, 'bom.svg', uses)).toEqual([
      422,
      'file: Dit bestand is beschadigd of onleesbaar. Sla het opnieuw op en probeer het nog eens.',
    ])
    expect(await refusal(rik, 'groot.svg', anSvg(`<desc>${'x'.repeat(2_000_000)}</desc>`))).toEqual([
      413,
      'file: Een svg mag hoogstens 2 MB groot zijn.',
    ])
    await expect.poll(() => leftOf(site)).toEqual([])
    // Entities are not expanded at all.
    expect((await uploadFile(rik, 'lach.svg', laughs)).bytes).toBeLessThan(laughs.length)
  })
})

async function anAnimation(frames: number, side: number): Promise<Uint8Array<ArrayBuffer>> {
  const pictures = Buffer.alloc(side * side * frames * 3)
  for (let frame = 0; frame < frames; frame++)
    pictures.fill((frame * 37) % 256, frame * side * side * 3, (frame + 1) * side * side * 3)
  const gif = await sharp(pictures, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .gif()
    .toBuffer()
  return new Uint8Array(gif)
}
