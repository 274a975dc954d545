import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { FileLibrary, FileWithUsages, StoredFile } from '../../src/contract/files.ts'
import { resizeNextImage } from '../../src/domain/files/resize-images.ts'
import { collectGarbage } from '../../src/domain/files/store-blob.ts'
import { lockContent } from '../../src/platform/cache-invalidation.ts'
import { createImageWorker } from '../../src/platform/images/image-worker.ts'
import { runImageTask } from '../../src/platform/images/run-image-task.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { databases } from '../support/databases.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { publishedPage } from '../support/pages.ts'
import { signInWithRights } from '../support/roles.ts'
import { aBucket } from '../support/s3.ts'
import { as } from '../support/staff.ts'
import { aTcpProxy } from '../support/tcp-proxy.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { anSvg, aPdf, aPhoto, upload, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

test('an image can be viewed at its URL before it is resized', async () => {
  const site = await aTestApp({ startJobs: false })
  const rik = await as(site, 'redacteur')
  for (const [name, format] of [
    ['foto.jpg', 'jpeg'],
    ['merk.png', 'png'],
  ] as const) {
    const file = await uploadFile(rik, name, await aPhoto(90, 70, format))
    const seen = await site.request(file.url)
    expect([name, file.state, seen.status, seen.headers.get('content-type')?.split('/')[0]]).toEqual([
      name,
      'waiting',
      200,
      'image',
    ])
    expect((await seen.arrayBuffer()).byteLength).toBeGreaterThan(100)
    expect(file.picture?.src).toBe(file.url)
  }
})

describe.each(databases)('on %s', (database) => {
  test('a logo that is uploaded and selected at once is shown on the pages and in the icons', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    const { url } = await uploadFile(bente, 'merk.png', await aPhoto(90, 90, 'png'))
    const { version } = await (await bente.get('/api/config')).json()
    expect((await bente.put('/api/config', { version, config: { logo: { src: url } } })).status).toBe(200)
    await waitUntil(() => site.app.context().site.logo.src === url, 'the logo')
    const src = /<img src="(\/files\/[^"]+)" alt="" width="\d+" height="40"/.exec(
      await (await site.request('/')).text(),
    )?.[1]
    // The others are rendered from the first of the icons, without the database.
    const rendered = database === 'sqlite' ? ['/favicon.ico', '/opengraph.png'] : []
    for (const path of [src ?? '', '/favicon.svg', ...rendered]) {
      expect([path, (await site.request(path)).status]).toEqual([path, 200])
    }
  })

  test('a full storage refuses uploads, and warns beforehand that it is nearly full', async () => {
    const uploads = { maxBytes: 3_000_000, maxPixels: 1_000_000, quotaBytes: 100_000 }
    const site = await aTestApp({ database, settings: { uploads } })
    const rik = await as(site, 'redacteur')
    const warnings = () => site.lines.filter(({ msg }) => msg === 'the file storage is more than 80 % full')
    const storage = async () => ((await (await rik.get('/api/files/choices')).json()) as FileLibrary).storage
    expect(await storage()).toEqual({ usedBytes: 0, quotaBytes: 100_000 })
    const first = await uploadFile(rik, 'een.pdf', aPdf('x'.repeat(60_000)))
    expect([(await storage())?.usedBytes, warnings().length]).toEqual([first.bytes, 0])
    await uploadFile(rik, 'twee.pdf', aPdf('y'.repeat(30_000)))
    expect(warnings()).toMatchObject([{ level: 'warn', quotaBytes: 100_000 }])

    const refused = await upload(rik, 'drie.pdf', aPdf('z'.repeat(30_000)))
    expect([refused.status, await refused.json()]).toMatchObject([
      507,
      { code: 'storage_full', title: 'Er is geen ruimte meer voor bestanden' },
    ])
    expect((await rik.delete(`/api/files/${first.id}`)).status).toBe(204)
    expect((await upload(rik, 'drie.pdf', aPdf('z'.repeat(30_000)))).status).toBe(201)
  })

  test('resized images count towards the quota, and can cause the warning at 80 %', async () => {
    const uploads = { maxBytes: 3_000_000, maxPixels: 1_000_000, quotaBytes: 1_000_000 }
    const site = await aTestApp({ database, settings: { uploads }, startJobs: false })
    const rik = await as(site, 'redacteur')
    const warnings = () => site.lines.filter(({ msg }) => msg === 'the file storage is more than 80 % full')
    const usedBytes = async () =>
      ((await (await rik.get('/api/files/choices')).json()) as FileLibrary).storage?.usedBytes ?? 0
    await uploadFile(rik, 'gevel.jpg', await aPhoto(64, 48))
    const uploaded = await usedBytes()
    // A little less than 80 % of it is used.
    site.app.context().uploads.quotaBytes = uploaded / 0.8 + 10

    await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)

    expect(await usedBytes()).toBeGreaterThan(uploaded + 10)
    expect(warnings()).toMatchObject([{ level: 'warn', usedBytes: await usedBytes() }])
  })

  test('an image is also given up when its last attempt ended with its process', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const rik = await as(site, 'redacteur')
    await uploadFile(rik, 'gevel.jpg', await aPhoto(60, 40))
    await site.db.updateTable('file').set({ attempts: 5 }).execute()

    expect(await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)).toBe(true)

    expect((await site.db.selectFrom('file').select('state').executeTakeFirstOrThrow()).state).toBe('failed')
  })

  test('an image whose process was killed while the clock was ahead is resized after the clock was set back', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const rik = await as(site, 'redacteur')
    const { id } = await uploadFile(rik, 'gevel.jpg', await aPhoto(60, 40))
    const leftUntil = (ms: number) =>
      site.db
        .updateTable('file')
        .set({ attempts: 1, due_at: new Date(Date.now() + ms).toISOString() })
        .execute()
    const resizes = () => resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)
    await leftUntil(9 * 60_000)
    expect(await resizes(), 'another process may still work on it').toBe(false)

    await leftUntil(2 * 24 * 60 * 60_000)

    expect(await resizes()).toBe(true)
    expect(await (await rik.get(`/api/files/${id}`)).json()).toMatchObject({ state: 'ready' })
  })

  test('files that cannot be removed from the storage do not prevent the removal of others', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const rik = await as(site, 'redacteur')
    const { storage } = site.app.context().uploads
    for (const name of ['een', 'twee', 'drie', 'vier', 'vijf']) await uploadFile(rik, `${name}.pdf`, aPdf(name))
    const files = await site.db.selectFrom('file').select(['id', 'blob_id']).orderBy('id').execute()
    const blobs = files.map((file) => file.blob_id)
    const locked = [blobs[0], blobs[1], blobs[3]]
    const { remove } = storage
    storage.remove = () => Promise.reject(new Error('locked'))
    for (const { id } of files) expect((await rik.delete(`/api/files/${id}`)).status).toBe(204)
    // The order in which they are removed.
    for (const [day, id] of blobs.entries()) {
      await site.db
        .updateTable('stored_blob')
        .set({ at: `2020-01-0${day + 1}` })
        .where('id', '=', id)
        .execute()
    }
    storage.remove = (id) => (locked.includes(id) ? Promise.reject(new Error(`locked: ${id}`)) : remove(id))
    const left = async () => {
      const rows = await site.db.selectFrom('stored_blob').select('id').where('state', '=', 'released').execute()
      return blobs.filter((blob) => rows.some(({ id }) => id === blob))
    }

    await expect(collectGarbage(site.app.context())).rejects.toThrow(`locked: ${locked[0]}`)
    expect(await left()).toEqual([...locked, blobs[4]])
    await expect(collectGarbage(site.app.context())).rejects.toThrow('locked')
    expect(await left()).toEqual(locked)
  })

  test('the images of one user do not wait for all images of another', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const [rik, bente] = [await as(site, 'redacteur'), await as(site, 'beheerder')]
    const uploads = [rik, rik, rik, bente].entries()
    const ids: number[] = []
    for (const [index, who] of uploads) ids.push((await uploadFile(who, `${index}.jpg`, await aPhoto(60, 40))).id)
    while (await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal));
    const order = site.lines.filter(({ msg }) => msg === 'image resized').map(({ file }) => file)
    expect(order).toEqual([ids[0], ids[3], ids[1], ids[2]])
  })

  test('a large photo gets its first width without waiting for all widths of another', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const rik = await as(site, 'redacteur')
    const { imageWorker } = site.app.context().uploads
    const stopping = new AbortController()
    const resizeNext = (pass: 'first width' | 'all widths') =>
      resizeNextImage(site.app.context(), pass, stopping.signal)
    await uploadFile(rik, 'klein.jpg', await aPhoto(60, 40))
    const photos = [
      await uploadFile(rik, 'een.jpg', await aPhoto(1_700, 1_200)),
      await uploadFile(rik, 'ander.jpg', await aPhoto(1_701, 1_200)),
    ]
    expect(await resizeNext('first width')).toBe(true)
    expect(await resizeNext('all widths'), 'the small one').toBe(true)
    // All widths of a large photo take as long as the program runs.
    const slow = createImageWorker({}, async (task, { aborted }) => {
      if (task.kind === 'resize' && !task.quick) await once(aborted, 'abort')
      aborted.throwIfAborted()
      return runImageTask(task)
    })
    closeAfterTest(slow.stop)
    imageWorker.resize = slow.resize
    const running = resizeNext('all widths')
    expect(await resizeNext('first width')).toBe(true)
    expect(await resizeNext('first width')).toBe(false)
    for (const { id } of photos) {
      const { state, picture } = (await (await rik.get(`/api/files/${id}`)).json()) as StoredFile
      const widths = picture?.sources.map(({ srcSet }) => srcSet.match(/\b\d+w/g)?.join())
      expect([state, widths]).toEqual(['waiting', ['1280w', '1280w']])
    }
    stopping.abort()
    slow.stop()
    expect(await running).toBe(true)
  })

  test('a user who manages files but not pages sees how many pages use a file, not which', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const files = await signInWithRights(site, 'Fatima', ['files.write'])
    const { id, url } = await uploadFile(bente, 'plan.svg', anSvg())
    const pageId = await publishedPage(bente, {
      title: 'Geheim plan',
      body: [{ type: 'image', src: url, alt: '', className: '' }],
    })
    const usages = async (who: typeof bente) =>
      ((await (await who.get(`/api/files/${id}`)).json()) as FileWithUsages).places
    expect(await usages(bente)).toEqual([{ type: 'page', name: 'Geheim plan', id: pageId }])
    expect(await usages(files)).toEqual([{ type: 'page', name: null, id: null }])
    const refused = await (await files.delete(`/api/files/${id}`)).text()
    expect(refused).toContain('file_in_use')
    expect(refused).not.toContain('Geheim plan')
  })
})

test('uploads that wait to be checked take turns between users', async () => {
  const site = await aTestApp({ startJobs: false })
  const [rik, bente] = [await as(site, 'redacteur'), await as(site, 'beheerder')]
  const everyoneWaits = Promise.withResolvers<void>()
  const held = createImageWorker({}, async (task) => {
    await everyoneWaits.promise
    return runImageTask(task)
  })
  let arrived = 0
  const checked: number[] = []
  site.app.context().uploads.imageWorker.probe = async (task, owner, aborted) => {
    arrived++
    const found = await held.probe(task, owner, aborted)
    checked.push(owner)
    return found
  }
  const uploading = ['1', '2', '3', '4'].map((name) => uploadFile(rik, `${name}.pdf`, aPdf(name)))
  await waitUntil(() => arrived === 4, 'four uploads of one user')
  uploading.push(uploadFile(bente, 'bente.pdf', aPdf('bente')))
  await waitUntil(() => arrived === 5, 'an upload of another user')
  everyoneWaits.resolve()
  await Promise.all(uploading)
  expect(checked).toEqual([rik.id, bente.id, rik.id, rik.id, rik.id])
})

// SQLite has one writer at a time.
test('deleting an image while its resized images are saved ends in one of the two, not in a deadlock', async () => {
  const site = await aTestApp({ database: 'postgres', startJobs: false })
  const rik = await as(site, 'redacteur')
  const { id } = await uploadFile(rik, 'gevel.jpg', await aPhoto(64, 48))
  let deleted: Promise<Response> | undefined
  let resized: Promise<boolean> | undefined
  await site.db.transaction().execute(async (tx) => {
    await lockContent(tx)
    deleted = rik.delete(`/api/files/${id}`)
    await waitUntil(async () => (await countLockWaits(site)) === 1, 'a deletion that waits')
    resized = resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)
    await waitUntil(async () => (await countLockWaits(site)) === 2, 'resized images that wait')
  })
  expect([(await deleted)?.status, await resized]).toEqual([204, true])
})

test('a storage that hangs or is unavailable gives 503 and Retry-After, and is reported; pages go on', async () => {
  allowErrors(/Timeout|takes no bytes|ECONNRESET|ECONNREFUSED|socket hang up/)
  const bucket = await aBucket()
  const proxy = await aTcpProxy(bucket)
  const site = await aTestApp({ settings: { storageUrl: `${proxy.url}&timeout=120` } })
  const hasty = await aTestApp({ beside: site, settings: { storageUrl: `${proxy.url}&timeout=1` }, startJobs: false })
  const [bente, rik] = [await as(site, 'beheerder'), await as(site, 'redacteur')]
  const { url } = await uploadFile(rik, 'een.pdf', aPdf('een'))
  proxy.stall()
  for (const answer of [
    await upload(await as(hasty, 'redacteur'), 'twee.pdf', aPdf('twee')),
    await hasty.request(url),
  ]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
  }
  proxy.resume()
  // As long as nothing listens there.
  proxy.forwardTo('s3://127.0.0.1:1')
  const refused = await upload(rik, 'twee.pdf', aPdf('twee'))
  expect([refused.status, (await refused.json()).code]).toEqual([503, 'storage_unavailable'])
  expect((await site.request('/')).status).toBe(200)
  const { lines } = await (await bente.get('/api/health?fresh=yes')).json()
  expect(lines.find(({ check }: { check: string }) => check === 'storage')).toMatchObject({
    outcome: 'failed',
    text: expect.stringContaining('STORAGE_URL'),
  })
  expect((await (await rik.get('/api/files')).json()).data).toHaveLength(1)
  proxy.forwardTo(bucket)
  expect((await upload(rik, 'twee.pdf', aPdf('twee'))).status).toBe(201)
})
