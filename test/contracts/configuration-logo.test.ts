import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { StoredFile } from '../../src/contract/files.ts'
import { aTempFolder, databases } from '../support/databases.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { anSvg, aPhoto, replaceContent, uploadFile, waitUntilProcessed } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const choose = async (who: SignedIn, { url }: StoredFile) => {
  const { version }: Configuration = await (await who.get('/api/config')).json()
  return who.put('/api/config', { version, config: { logo: { src: url } } })
}
/** The colour in the middle of an image. */
async function middle(bytes: ArrayBuffer): Promise<number[]> {
  const { data, info } = await sharp(Buffer.from(bytes)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
  return [...data.subarray(at, at + 3)]
}
const square = (fill: string) => anSvg(`<rect width="40" height="40" fill="${fill}"/>`)

describe.each(databases)('an upload as the logo, on %s,', (database) => {
  /** The other icons are rendered from the SVG one, which takes long and asks nothing more of the database. */
  const rendersIcons = database === 'sqlite'
  const aSite = async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const home = async () => (await site.request('/')).text()
    const svgIcon = async () => (await site.request('/favicon.svg')).text()
    const icon = async () => (await site.request('/icon-192.png')).arrayBuffer()
    return { site, bente, home, svgIcon, icon }
  }

  test('an SVG is shown on the page and in the icons, and both follow when its file is replaced', async () => {
    const { bente, home, svgIcon, icon } = await aSite()
    const file = await uploadFile(bente, 'merk.svg', square('#ff0000'))
    expect((await choose(bente, file)).status).toBe(200)
    await waitUntil(async () => (await home()).includes('fill=%22%23ff0000%22'), 'the SVG in the page')
    expect(await svgIcon()).toContain('#ff0000')
    if (rendersIcons) expect(await middle(await icon())).toEqual([255, 0, 0])

    expect((await replaceContent(bente, file.id, square('#0000ff'))).status).toBe(200)
    await waitUntil(async () => (await home()).includes('fill=%22%230000ff%22'), 'the new SVG in the page')
    expect(await svgIcon()).toContain('#0000ff')
    if (rendersIcons) expect(await middle(await icon())).toEqual([0, 0, 255])
  })

  test('a photo is shown at a sufficient width, and the icons are made from it', async () => {
    const { site, bente, home, svgIcon, icon } = await aSite()
    const file = await uploadFile(bente, 'merk.png', await aPhoto(700, 90, 'png'))
    await waitUntilProcessed(bente, file.id)
    expect((await choose(bente, file)).status).toBe(200)
    const shown = await waitUntil(
      async () => /<img src="(\/files\/[^"]+\.png)" alt="" width="\d+" height="40"/.exec(await home())?.[1],
      'the photo on the page',
    )
    expect((await site.request(shown)).status).toBe(200)
    expect(await home()).toContain('<link rel="icon" href="/favicon.svg"')
    expect(await svgIcon()).toContain('data:image/png;base64,')
    if (rendersIcons) expect((await icon()).byteLength).toBeGreaterThan(100)
    const admin = await (await bente.get('/user')).text()
    expect(admin).toContain(`"logoUrl":"${shown}"`)
  })

  test('the logo cannot be deleted, and a value that is not an uploaded image is refused, also of a restored revision', async () => {
    const { site, bente } = await aSite()
    const file = await uploadFile(bente, 'merk.svg', square('#00ff00'))
    await choose(bente, file)
    await waitUntil(() => site.app.context().site.logo.src === file.url, 'the logo')
    const refused = await bente.delete(`/api/files/${file.id}`)
    expect(await refused.json()).toMatchObject({ code: 'file_in_use' })

    const gone = await choose(bente, { ...file, url: `/files/${'0'.repeat(32)}/weg.svg` })
    expect(gone.status).toBe(422)
    expect((await gone.json()).errors).toEqual([
      { path: 'logo.src', message: 'Deze afbeelding is er niet meer. Kies een andere.' },
    ])
    expect((await choose(bente, { ...file, url: '/nergens.svg' })).status).toBe(422)

    const back = await bente.post('/api/config/revisions/1/restore', { version: 2 })
    expect(back.status).toBe(200)
    await waitUntil(() => site.app.context().site.logo.src === '/logo.svg', 'the first logo')
    expect((await bente.delete(`/api/files/${file.id}`)).status).toBe(204)
    const again = await bente.post('/api/config/revisions/2/restore', { version: 3 })
    expect((await again.json()).errors).toMatchObject([{ path: 'logo.src' }])
  })

  test('files and links are shown on a site whose logo is only in its own public folder', async () => {
    const folder = aTempFolder()
    const folders = { client: join(folder, 'client'), public: join(folder, 'public') }
    mkdirSync(folders.public)
    copyFileSync('public/logo.svg', join(folders.public, 'eigen.svg'))
    const site = await aTestApp({
      database,
      folders,
      site: (config) => Object.assign(config.logo, { src: '/eigen.svg' }),
    })
    const bente = await as(site, 'beheerder')
    expect((await bente.put('/api/config', { version: 0, config: { brand: 'Eigen' } })).status).toBe(200)
    const { id } = await uploadFile(bente, 'merk.svg', square('#00ff00'))
    expect((await bente.get(`/api/files/${id}`)).status).toBe(200)
    expect((await bente.get('/api/links/dead')).status).toBe(200)
    expect((await bente.delete(`/api/files/${id}`)).status).toBe(204)
  })

  test('the history shows revisions whose logo is gone from the public folder, and those after an invalid revision', async () => {
    const folder = aTempFolder()
    const folders = { client: join(folder, 'client'), public: join(folder, 'public') }
    cpSync('public', folders.public, { recursive: true })
    const site = await aTestApp({ database, folders })
    const bente = await as(site, 'beheerder')
    const file = await uploadFile(bente, 'merk.svg', square('#00ff00'))
    expect((await choose(bente, file)).status).toBe(200)
    rmSync(join(folders.public, 'logo.svg'))
    const shown = async (id: number) => (await bente.get(`/api/config/revisions/${id}`)).json()
    expect(await shown(1)).toMatchObject({ config: { logo: { src: '/logo.svg' } }, before: null })
    expect(await shown(2)).toMatchObject({
      config: { logo: { src: file.url } },
      before: { logo: { src: '/logo.svg' } },
    })

    await site.db
      .updateTable('config_revision')
      .set({ config: sql<string>`replace(config, '"/logo.svg"', '"logo.svg"')` })
      .where('id', '=', 1)
      .execute()
    expect(await shown(1)).toMatchObject({ status: 422, errors: [{ path: 'logo.src' }] })
    expect(await shown(2)).toMatchObject({ config: { logo: { src: file.url } }, before: null, beforeId: null })
  })
})
