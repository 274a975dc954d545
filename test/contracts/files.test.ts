import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { publicFileIdsIn } from '../../src/contract/file-urls.ts'
import type { FileWithUsages, StoredFile, UploadedFile } from '../../src/contract/files.ts'
import type { ListOf } from '../../src/contract/list.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { aBucket } from '../support/s3.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anSvg, aPdf, aPhoto, replaceContent, upload, uploadFile, waitUntilProcessed } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The database and the storage are independent, so not every pair is tested. */
const everywhere = [
  { database: 'sqlite', storage: 'local' },
  { database: 'postgres', storage: 's3' },
] as const

async function aSite(database: DatabaseKind, storage: 'local' | 's3', imageProcesses = false) {
  const storageUrl = storage === 's3' ? `${await aBucket()}&timeout=120` : undefined
  const site = await aTestApp({ database, imageProcesses, settings: { storageUrl } })
  return { site, rik: await as(site, 'redacteur') }
}

/** The folders in the storage and the files in them. */
async function blobs(site: TestApp): Promise<string[]> {
  const rows = await site.db.selectFrom('stored_blob').select('state').execute()
  return rows.map(({ state }) => state).sort()
}

const arriving = (site: TestApp) => {
  try {
    return readdirSync(join(site.settings.dataDir, 'arriving'))
  } catch {
    return []
  }
}

test('a large photo has one sharp width within moments, and every width later', async () => {
  const { site, rik } = await aSite('sqlite', 'local', true)
  const { id } = await uploadFile(rik, 'groot.jpg', await aPhoto(640, 3_140))
  const seen: [state: string, widths: string | undefined][] = []
  await waitUntil(
    async () => {
      const { state, picture } = (await (await rik.get(`/api/files/${id}`)).json()) as StoredFile
      const widths = picture?.sources
        .at(-1)
        ?.srcSet.match(/\b\d+w/g)
        ?.join(' ')
      if (seen.at(-1)?.[1] !== widths || seen.length === 0) seen.push([state, widths])
      return state === 'ready'
    },
    'end of the work on the photo',
    240_000,
  )
  expect(seen.slice(-2)).toEqual([
    ['waiting', '640w'],
    ['ready', '320w 640w'],
  ])
  // The original, and all widths; the quick pass is released.
  expect((await blobs(site)).filter((state) => state === 'committed')).toHaveLength(2)
})

test('an image that is higher than WebP allows is shown in the widths that fit', async () => {
  const { site, rik } = await aSite('sqlite', 'local')
  const { id } = await uploadFile(rik, 'hoog.png', await aPhoto(20, 17_000, 'png'))

  expect((await waitUntilProcessed(rik, id)).state).toBe('ready')
  const row = await site.db.selectFrom('file').select('resized_images').executeTakeFirstOrThrow()
  expect(JSON.parse(String(row.resized_images)).widths).toMatchObject([{ width: 19, height: 16_150 }])
})

test('an Apple film and its captions are recognised by their content, and served with the types that browsers know', async () => {
  const { site, rik } = await aSite('sqlite', 'local')
  const film = new Uint8Array(Buffer.from('0000001c667479704d34562000000001697736364d3456206d703432', 'hex'))
  const captions = new TextEncoder().encode('WEBVTT\n\n00:00.000 --> 00:02.000\nDe oven gaat aan.\n')
  for (const [name, content, type, kind] of [
    ['oven.m4v', film, 'video/mp4', 'video'],
    ['oven.vtt', captions, 'text/vtt', 'document'],
  ] as const) {
    const stored = await uploadFile(rik, name, content)
    expect(stored).toMatchObject({ name, type, kind })
    const answer = await site.request(stored.url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(content)
  }
})

test('an upload does not reveal whether another user uploaded the same content', async () => {
  const { site, rik } = await aSite('sqlite', 'local')
  const contract = aPdf('Geheim contract')
  const { url } = await uploadFile(rik, 'contract.pdf', contract)
  const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
  const guessed = [sha256(contract), sha256(`${sha256(contract)}:0`)]
  for (const address of guessed) {
    expect((await site.request(`/files/${address.slice(0, 32)}/contract.pdf`)).status).toBe(404)
  }
  const answer = await site.request(url)
  await answer.arrayBuffer()
  expect(answer.status).toBe(200)
})

describe.each(everywhere)('on $database, stored $storage', ({ database, storage }) => {
  test('spec 3 file upload: an upload is available at once at its URL', async () => {
    const { site, rik } = await aSite(database, storage)
    const pdf = aPdf()

    const answer = await upload(rik, 'Offerte voorjaar.pdf', pdf, 'Offertes')
    const file = (await answer.json()) as StoredFile

    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api/files/${file.id}`])
    expect(file).toMatchObject({
      name: 'Offerte voorjaar.pdf',
      kind: 'document',
      type: 'application/pdf',
      bytes: pdf.length,
      folder: 'Offertes',
      state: 'ready',
      addedBy: 'Rik Redacteur',
    })
    const response = await site.request(file.url)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(pdf)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline; filename="Offerte voorjaar.pdf"',
      'content-length': String(pdf.length),
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
    })
    expect(arriving(site)).toEqual([])
  })

  test('a photo gets every width in three types, without its location', async () => {
    const { site, rik } = await aSite(database, storage, storage === 'local')
    const gps = { IFD0: { Make: 'Geheime camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '50/1 51/1 0/1' } }
    // Rotated by its EXIF data: it is shown 700 wide and 200 high.
    const photo = await sharp(await aPhoto(200, 700))
      .withExif(gps)
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(photo.includes('Geheime camera')).toBe(true)

    const { id, state, picture } = await uploadFile(rik, 'foto.jpg', new Uint8Array(photo))
    expect(state).toBe('waiting')
    expect(picture).toMatchObject({
      src: expect.stringMatching(/^\/files\//),
      width: 700,
      height: 200,
      placeholder: expect.stringMatching(/^data:image\/webp/),
    })

    const made = await waitUntilProcessed(rik, id)
    expect(made).toMatchObject({ state: 'ready', width: 700, height: 200 })
    expect(made.picture?.sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp', 'image/jpeg'])
    for (const { type, srcSet } of made.picture?.sources ?? []) {
      const widths = srcSet.split(', ').map((one) => one.split(' '))
      expect(widths.map(([, width]) => width)).toEqual(['320w', '640w', '700w'])
      for (const [url = '', width = ''] of widths) {
        const response = await site.request(url)
        expect(response.headers.get('content-type')).toBe(type)
        const body = Buffer.from(await response.arrayBuffer())
        expect(response.headers.get('content-length')).toBe(String(body.length))
        expect(body.includes('Geheime')).toBe(false)
        const { width: wide, height, exif } = await sharp(body).metadata()
        expect([`${wide}w`, height, exif]).toEqual([width, Math.round((wide * 200) / 700), undefined])
      }
    }
    const whole = Buffer.from(await (await site.request(made.url)).arrayBuffer())
    expect(whole.includes('Geheime')).toBe(false)
    expect(await sharp(whole).metadata()).toMatchObject({ format: 'jpeg', width: 700, height: 200 })
    await expect.poll(() => arriving(site)).toEqual([])
    expect(await blobs(site)).toEqual(['committed', 'committed'])
  })

  test('a range of a large file is served, and an invalid range is refused', async () => {
    const { site, rik } = await aSite(database, storage)
    const pdf = aPdf('0123456789'.repeat(500))
    const { url } = await uploadFile(rik, 'lang.pdf', pdf)
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await site.request(url, { headers: { range, ...more } })
      return [answer.status, answer.headers.get('content-range'), new Uint8Array(await answer.arrayBuffer())]
    }

    expect(await part('bytes=5-9')).toEqual([206, `bytes 5-9/${pdf.length}`, pdf.slice(5, 10)])
    expect(await part('bytes=-4')).toEqual([
      206,
      `bytes ${pdf.length - 4}-${pdf.length - 1}/${pdf.length}`,
      pdf.slice(-4),
    ])
    // More than there is: what there is.
    const whole = [206, `bytes 0-${pdf.length - 1}/${pdf.length}`, pdf]
    expect(await part('bytes=-99999')).toEqual(whole)
    expect(await part('bytes=0-99999')).toEqual(whole)
    expect(await part('bytes=99999-')).toEqual([416, `bytes */${pdf.length}`, new Uint8Array()])
    expect(await part('bytes=-0')).toEqual([416, `bytes */${pdf.length}`, new Uint8Array()])
    expect(await part('bytes=0-1,7-9')).toEqual([200, null, pdf])
    expect(await part('rubbish')).toEqual([200, null, pdf])
    expect(await part('bytes=0-1', { 'if-range': '"older"' })).toEqual([200, null, pdf])
    const etag = (await site.request(url)).headers.get('etag') ?? ''
    expect((await site.request(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const head = await site.request(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(pdf.length), ''])
    expect((await site.request(url, { method: 'POST' })).status).toBe(405)
  })

  test('a replaced file keeps its id, and its old URLs redirect to the new content; deleting it leaves nothing', async () => {
    const { site, rik } = await aSite(database, storage)
    const before = await waitUntilProcessed(rik, (await uploadFile(rik, 'team.jpg', await aPhoto(100, 75))).id)
    const wide = before.picture?.src ?? ''

    const answer = await replaceContent(rik, before.id, await aPhoto(90, 125, 'png'))
    expect(answer.status).toBe(200)
    const at = (await answer.json()) as StoredFile
    expect(at).toMatchObject({ id: before.id, name: 'team.png', type: 'image/png', state: 'waiting' })
    const after = await waitUntilProcessed(rik, before.id)

    expect(after).toMatchObject({ id: before.id, width: 90, height: 125 })
    expect(after.url).not.toBe(before.url)
    for (const old of [before.url, wide]) {
      const moved = await site.request(old)
      expect([moved.status, moved.headers.get('cache-control')]).toEqual([302, 'public, max-age=0, must-revalidate'])
      const there = await site.request(moved.headers.get('location') ?? '')
      expect([there.status, there.headers.get('content-type')]).toEqual([200, 'image/png'])
    }
    await expect.poll(() => blobs(site)).toEqual(['committed', 'committed'])
    expect((await replaceContent(rik, before.id, aPdf())).status).toBe(422)
    expect((await replaceContent(rik, before.id, await aPhoto(), { version: '1' })).status).toBe(409)

    const { blob_id } = await site.db.selectFrom('file').select('blob_id').executeTakeFirstOrThrow()
    expect((await rik.delete(`/api/files/${before.id}`)).status).toBe(204)
    for (const gone of [before.url, wide, after.url, after.picture?.src ?? '']) {
      expect([gone, (await site.request(gone)).status]).toEqual([gone, 404])
    }
    expect((await rik.get(`/api/files/${before.id}`)).status).toBe(404)
    expect(await blobs(site)).toEqual([])
    const rows = await site.db.selectFrom('file_public_id').select('public_id').execute()
    const { storage: stored } = site.app.context().uploads
    expect([rows, await stored.read(`${blob_id}/original`)]).toEqual([[], undefined])
  })
})

describe.each(databases)('on %s', (database) => {
  test('the same content uploaded twice is one file, also when both uploads run at once', async () => {
    const { site, rik } = await aSite(database, 'local')
    const photo = await aPhoto(300, 200)
    const answers = await Promise.all(['een.jpg', 'twee.jpg', 'drie.jpg'].map((name) => upload(rik, name, photo)))
    const files = (await Promise.all(answers.map((one) => one.json()))) as UploadedFile[]

    expect(files.map(({ already }) => already).sort()).toEqual([false, true, true])
    expect(new Set(files.map(({ id }) => id)).size).toBe(1)
    const actions = await site.db.selectFrom('audit').select('action').execute()
    expect(actions).toEqual([{ action: 'file.uploaded' }])
  })

  test('the details of a file can be changed, searched and put in folders', async () => {
    const { site, rik } = await aSite(database, 'local')
    const team = await uploadFile(rik, 'IMG_0001.jpg', await aPhoto(300, 200))
    await uploadFile(rik, 'voorwaarden.pdf', aPdf())
    const alt = { nl: 'Het team aan de Maas', fa: 'تیم ما کنار رود' }

    const answer = await rik.put(`/api/files/${team.id}`, {
      name: 'گروه ۱.png',
      folder: 'Mensen',
      alt,
      focal: { x: 20, y: 80 },
      version: team.version,
    })
    // The extension follows the content, whatever was typed.
    expect(await answer.json()).toMatchObject({ name: 'گروه ۱.jpg', folder: 'Mensen', alt, focal: { x: 20, y: 80 } })
    expect((await rik.put(`/api/files/${team.id}`, { folder: '', version: team.version })).status).toBe(409)

    const found = async (query: string) => {
      const list = (await (await rik.get(`/api/files?${query}`)).json()) as ListOf<StoredFile>
      return [list.data.map(({ name }) => name), list.meta.total]
    }
    expect(await found('')).toEqual([['voorwaarden.pdf', 'گروه ۱.jpg'], 2])
    for (const query of [
      'search=maas',
      'search=رود',
      'search=گروه 1',
      'search=mensen',
      'folder=Mensen',
      'kind=picture',
      // The address that it was uploaded with.
      `publicId=${publicFileIdsIn(team.url)[0]}`,
    ]) {
      expect(await found(query), query).toEqual([['گروه ۱.jpg'], 1])
    }
    expect(await found(`publicId=${'0'.repeat(32)}`)).toEqual([[], 0])
    expect((await rik.get('/api/files?publicId=anders')).status).toBe(422)
    expect(await found('folder=Bestaat niet')).toEqual([[], 0])
    expect(await found('sort=bytes&pageSize=1&page=2')).toEqual([['گروه ۱.jpg'], 2])
    expect(await (await rik.get('/api/files/choices')).json()).toEqual({
      folders: [{ name: 'Mensen', files: 1 }],
      maxBytes: 20_000_000,
      maxPixels: 50_000_000,
      storage: null,
    })
    const log = await site.db
      .selectFrom('audit')
      .select(['action', 'actor_name', 'before', 'after'])
      .orderBy('id')
      .execute()
    expect(log.at(-1)).toMatchObject({ action: 'file.updated', actor_name: 'Rik Redacteur' })
    expect(JSON.parse(log.at(-1)?.after ?? '')).toEqual({
      name: 'گروه ۱.jpg',
      folder: 'Mensen',
      altNl: alt.nl,
      altFa: alt.fa,
      focal: '20 %, 80 %',
    })
  })

  test('an image is described in each language of the site', async () => {
    const { site, rik } = await aSite(database, 'local')
    const boss = await as(site, 'beheerder')
    const setLocales = async (locales: string[]) => {
      const { version } = await (await boss.get('/api/config')).json()
      return boss.put('/api/config', { version, config: { locales } })
    }
    expect((await setLocales(['nl', 'en', 'pt-BR'])).status).toBe(200)
    const { id } = await uploadFile(rik, 'IMG_0001.jpg', await aPhoto(300, 200))
    await uploadFile(rik, 'IMG_0002.jpg', await aPhoto(200, 300))
    const describeAs = (alt: object) => rik.put(`/api/files/${id}`, { alt })
    const altNow = async () => ((await (await rik.get(`/api/files/${id}`)).json()) as StoredFile).alt
    const found = async (search: string) =>
      ((await (await rik.get(`/api/files?search=${search}`)).json()) as ListOf<StoredFile>).meta.total

    expect((await describeAs({ nl: 'Het team', en: 'The team at the Meuse', 'pt-BR': 'A equipa' })).status).toBe(200)
    expect(await altNow()).toEqual({ nl: 'Het team', fa: '', en: 'The team at the Meuse', 'pt-BR': 'A equipa' })
    expect([await found('meuse'), await found('equipa'), await found('team'), await found('pt-br')]).toEqual([
      1, 1, 1, 0,
    ])
    // What is left out stays, and an empty description is none.
    await describeAs({ nl: 'Ons team', 'pt-BR': '' })
    expect(await altNow()).toEqual({ nl: 'Ons team', fa: '', en: 'The team at the Meuse' })
    expect([await found('meuse'), await found('equipa')]).toEqual([1, 0])

    for (const [alt, path] of [
      [{ de: 'Das Team' }, 'alt.de'],
      [{ EN: 'The team' }, 'alt.EN'],
      [{ en: 'x'.repeat(1_001) }, 'alt.en'],
    ] as const) {
      const refused = await describeAs(alt)
      expect([refused.status, (await refused.json()).errors[0].path]).toEqual([422, path])
    }
    // A language that is removed keeps its descriptions.
    await setLocales(['nl'])
    expect((await describeAs({ nl: 'Wij', en: 'Us' })).status).toBe(200)
    expect(await altNow()).toEqual({ nl: 'Wij', fa: '', en: 'Us' })
    const { after } = await site.db
      .selectFrom('audit')
      .select('after')
      .where('action', '=', 'file.updated')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(after ?? '')).toEqual({ altNl: 'Wij', altOther: 'en: Us' })
  })

  test('a file in use cannot be deleted, and the response lists where it is used', async () => {
    const { site, rik } = await aSite(database, 'local')
    const file = await uploadFile(rik, 'logo.svg', anSvg())
    const boss = await as(site, 'beheerder')
    await usedInFooter(site, file.url)

    const found = (await (await boss.get(`/api/files/${file.id}`)).json()) as FileWithUsages
    expect(found.places).toEqual([{ type: 'configuration', name: 'footer.left', id: null }])
    const answer = await rik.delete(`/api/files/${file.id}`)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({
      code: 'file_in_use',
      title: 'Dit bestand is in gebruik',
      current: { places: found.places },
    })
    expect((await site.request(file.url)).status).toBe(200)
  })

  test('a crop shows a part of the image, and can be undone', async () => {
    const { site, rik } = await aSite(database, 'local')
    const { id, url } = await waitUntilProcessed(rik, (await uploadFile(rik, 'breed.jpg', await aPhoto(400, 200))).id)
    const crop = { x: 50, y: 25, width: 200, height: 150 }

    expect((await rik.put(`/api/files/${id}`, { crop })).status).toBe(200)
    const cut = await waitUntilProcessed(rik, id)
    expect(cut).toMatchObject({ crop, width: 400, height: 200, picture: { width: 200, height: 150 } })
    expect(cut.url).not.toBe(url)
    const shown = await sharp(await (await site.request(cut.url)).arrayBuffer()).metadata()
    expect([shown.width, shown.height]).toEqual([200, 150])

    const all = await rik.get(cut.whole ?? '')
    expect(await sharp(await all.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', width: 400, height: 200 })

    await rik.put(`/api/files/${id}`, { crop: null })
    expect(await waitUntilProcessed(rik, id)).toMatchObject({ crop: null, url, picture: { width: 400, height: 200 } })
    for (const outside of [
      { ...crop, width: 351 },
      { ...crop, y: 51 },
      { ...crop, width: 15 },
    ]) {
      const answer = await rik.put(`/api/files/${id}`, { crop: outside })
      expect([outside, answer.status]).toEqual([outside, 422])
    }
  })
})

/** The current configuration, with an image in the footer. */
async function usedInFooter(site: TestApp, src: string): Promise<void> {
  const { importConfiguration } = await import('../../src/domain/configuration/import-configuration.ts')
  const config = structuredClone(site.app.context().site)
  config.branding.footer.left.nl?.push({ type: 'image', src, alt: 'Logo', className: '' } as never)
  await importConfiguration(site.app.context(), { text: JSON.stringify(config), note: 'test' })
  await expect.poll(() => JSON.stringify(site.app.context().site)).toContain(src)
}
