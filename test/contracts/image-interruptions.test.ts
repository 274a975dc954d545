import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'
import { resizeNextImage } from '../../src/domain/files/resize-images.ts'
import { createImageWorker } from '../../src/platform/images/image-worker.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder } from '../support/databases.ts'
import { aBucket } from '../support/s3.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { anSvg, aPhoto, upload, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** An image process of this test that has read its task: then it loads the image library. */
const findWorkingProcess = () => {
  const pid = readdirSync('/proc').find(
    (name) =>
      /^\d+$/.test(name) &&
      read(`/proc/${name}/status`).includes(`\nPPid:\t${process.pid}\n`) &&
      read(`/proc/${name}/maps`).includes('libvips') &&
      read(`/proc/${name}/cmdline`).includes('image-process'),
  )
  return pid === undefined ? undefined : Number(pid)
}
const aWorkingProcess = () => waitUntil(findWorkingProcess, 'image process')

test.runIf(process.platform === 'linux')(
  'an image process ignores SIGTERM and SIGINT, which a service manager or Ctrl+C sends to it too: its server ends it',
  async () => {
    const folder = aTempFolder()
    const file = join(folder, 'foto.jpg')
    // So large that it is still at work when it is found.
    writeFileSync(file, await aPhoto(1_000, 750))
    const worker = createImageWorker()
    closeAfterTest(() => worker.stop())

    const resized = worker.resize({
      file,
      folder,
      type: 'image/jpeg',
      crop: null,
      animated: false,
      quick: false,
      pixels: 750_000,
    })
    resized.catch(() => {})
    const pid = await aWorkingProcess()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.kill(pid, signal)

    expect(await resized).toMatchObject({ width: 1_000, height: 750 })
  },
)

test.runIf(process.platform === 'linux')(
  'an image is not rejected because its process was killed, and is given up after five times',
  async () => {
    let now = new Date()
    const site = await aTestApp({ imageProcesses: true, startJobs: false, now: () => now })
    const rik = await as(site, 'redacteur')
    await uploadFile(rik, 'foto.jpg', await aPhoto(1_000, 750))
    const states: string[] = []

    const attempt = async () => {
      expect(await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)).toBe(true)
      states.push((await site.db.selectFrom('file').select('state').executeTakeFirstOrThrow()).state)
      now = new Date(now.getTime() + 2 * 60_000)
    }
    const { imageWorker } = site.app.context().uploads
    const { resize } = imageWorker
    const killed = Promise.withResolvers<never>()
    killed.promise.catch(() => {})
    imageWorker.resize = (task) =>
      resize(task).catch((error) => {
        killed.reject(error)
        throw error
      })
    await waitUntil(() => findWorkingProcess() === undefined, 'end of the process of the upload')
    const first = attempt()
    process.kill(await aWorkingProcess(), 'SIGKILL')
    await first

    // What the first one ended with, without a process.
    imageWorker.resize = () => killed.promise
    for (let number = 2; number <= 5; number++) await attempt()

    expect(states).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'failed'])
  },
)

test.runIf(process.platform === 'linux')(
  'an upload whose process was killed is not reported as broken, and can be tried again',
  async () => {
    allowErrors(/a request failed/)
    const site = await aTestApp({ imageProcesses: true, startJobs: false })
    const rik = await as(site, 'redacteur')
    const photo = await aPhoto(1_000, 750)

    const uploading = upload(rik, 'foto.jpg', photo)
    process.kill(await aWorkingProcess(), 'SIGKILL')
    const answer = await uploading

    expect([answer.status, (await answer.json()).code]).toEqual([503, 'unavailable'])
    expect(answer.headers.get('Retry-After')).toBe('5')
    expect((await upload(rik, 'foto.jpg', photo)).status).toBe(201)
  },
)

test('an image is tried again when its file could not be read, or its resized images could not be written', async () => {
  let now = new Date()
  const site = await aTestApp({ startJobs: false, now: () => now })
  const rik = await as(site, 'redacteur')
  const { uploads } = site.app.context()
  await uploadFile(rik, 'foto.jpg', await aPhoto(60, 40))
  const { resize } = uploads.imageWorker
  const stateAfter = async (change: Partial<Parameters<typeof resize>[0]>) => {
    uploads.imageWorker.resize = (task) => resize({ ...task, ...change })
    now = new Date(now.getTime() + 11 * 60_000)
    expect(await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)).toBe(true)
    return (await site.db.selectFrom('file').select('state').executeTakeFirstOrThrow()).state
  }
  const missing = join(aTempFolder(), 'missing')

  expect(await stateAfter({ file: missing })).toBe('waiting')
  expect(await stateAfter({ folder: missing })).toBe('waiting')
  expect(await stateAfter({})).toBe('ready')
})

test.runIf(process.platform === 'linux')(
  'an image is not given up for a week while the disk is full, or the bucket or the storage folder cannot be reached',
  async () => {
    let now = new Date()
    const site = await aTestApp({ startJobs: false, now: () => now })
    const { uploads } = site.app.context()
    await uploadFile(await as(site, 'redacteur'), 'foto.jpg', await aPhoto(60, 40))
    const stateAfter = async (times: number) => {
      for (let time = 1; time <= times; time++) {
        now = new Date(now.getTime() + 3_600_000)
        expect(await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)).toBe(true)
      }
      return (await site.db.selectFrom('file').select('state').executeTakeFirstOrThrow()).state
    }
    const { resize } = uploads.imageWorker
    const fullDisk = aTempFolder()
    symlinkSync('/dev/full', join(fullDisk, '60.avif'))
    uploads.imageWorker.resize = (task) => resize({ ...task, folder: fullDisk })
    expect(await stateAfter(6)).toBe('waiting')

    uploads.imageWorker.resize = (task) => resize({ ...task, file: join(fullDisk, 'missing') })
    expect(await stateAfter(6)).toBe('waiting')

    uploads.imageWorker.resize = resize
    const { put } = uploads.storage
    uploads.storage.put = () => Promise.reject(new Refusal('storage_unavailable'))
    expect(await stateAfter(6)).toBe('waiting')

    uploads.storage.put = put
    expect(await stateAfter(1)).toBe('ready')

    now = new Date(now.getTime() + 7 * 24 * 3_600_000)
    await site.db.updateTable('file').set({ state: 'waiting', attempts: 0, due_at: now.toISOString() }).execute()
    uploads.storage.put = () => Promise.reject(new Refusal('storage_unavailable'))
    expect(await stateAfter(5)).toBe('failed')
  },
)

test('an image whose original is lost is shown as failed within minutes, and waits while the whole folder is away', async () => {
  let now = new Date()
  const site = await aTestApp({ startJobs: false, now: () => now })
  const rik = await as(site, 'redacteur')
  const lost = await uploadFile(rik, 'foto.jpg', await aPhoto(60, 40))
  const stateAfter = async (minutes: number) => {
    const until = now.getTime() + minutes * 60_000
    while (now.getTime() < until) {
      now = new Date(now.getTime() + 60_000)
      await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)
    }
    return (await (await rik.get(`/api/files/${lost.id}`)).json()).state
  }
  const folder = join(site.settings.dataDir, 'files')
  renameSync(folder, `${folder}-away`)
  expect(await stateAfter(30)).toBe('waiting')
  mkdirSync(folder)
  expect(await stateAfter(30)).toBe('waiting')

  rmdirSync(folder)
  renameSync(`${folder}-away`, folder)
  const { blob_id } = await site.db.selectFrom('file').select('blob_id').executeTakeFirstOrThrow()
  rmSync(join(folder, blob_id), { recursive: true })
  await uploadFile(rik, 'gevel.jpg', await aPhoto(60, 50))
  expect(await stateAfter(20)).toBe('failed')
})

test('an image in a bucket is resized to the end while leftovers of temporary files are removed', async () => {
  const site = await aTestApp({ startJobs: false, settings: { storageUrl: await aBucket() } })
  const { uploads } = site.app.context()
  const { resize } = uploads.imageWorker
  await uploadFile(await as(site, 'redacteur'), 'foto.jpg', await aPhoto(60, 40))
  uploads.imageWorker.resize = async (task) => {
    await uploads.temporaryFiles.removeLeftovers(new Date())
    return resize(task)
  }

  expect(await resizeNextImage(site.app.context(), 'all widths', new AbortController().signal)).toBe(true)
  expect((await site.db.selectFrom('file').select('state').executeTakeFirstOrThrow()).state).toBe('ready')
})

test('an upload of which the preview could not be written is not reported as broken, and can be tried again', async () => {
  allowErrors(/a request failed/)
  const site = await aTestApp({ startJobs: false })
  const rik = await as(site, 'redacteur')
  const { imageWorker } = site.app.context().uploads
  const { probe } = imageWorker
  imageWorker.probe = (task, ...rest) => probe({ ...task, preview: join(aTempFolder(), 'missing', 'preview') }, ...rest)

  const answer = await upload(rik, 'foto.jpg', await aPhoto(60, 40))

  expect([answer.status, (await answer.json()).code]).toEqual([503, 'unavailable'])
})

test('a server without free file descriptors goes on when it cannot start an image process', () => {
  const script = `
    import { openSync } from 'node:fs'
    import { createImageWorker } from ${JSON.stringify(join(import.meta.dirname, '../../src/platform/images/image-worker.ts'))}
    try { for (;;) openSync('/dev/null') } catch {}
    await createImageWorker().render({ folder: '.', fonts: [], images: [] }).catch((error) => console.log(error.code))
    setImmediate(() => console.log('goes on'))
  `
  const run = ['-c', 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, script]
  const { stdout, stderr } = spawnSync('bash', run, { encoding: 'utf8' })
  expect(stdout, stderr).toBe('EMFILE\ngoes on\n')
})

test('an SVG that takes too long is reported as too slow, not as broken', async () => {
  const site = await aTestApp({ imageProcesses: true, startJobs: false })
  const rik = await as(site, 'redacteur')
  const { uploads } = site.app.context()
  const worker = createImageWorker({ sanitize: 1 })
  closeAfterTest(() => worker.stop())
  uploads.imageWorker.probe = worker.probe

  const answer = await upload(rik, 'logo.svg', anSvg())

  expect([answer.status, (await answer.json()).errors[0].message]).toEqual([
    422,
    'Dit bestand verwerken duurt te lang. Maak het eenvoudiger of kleiner en probeer het opnieuw.',
  ])
})

test('an SVG with an image that decodes to more memory than an image process may take is refused, and its process ends', async () => {
  const site = await aTestApp({ imageProcesses: true, startJobs: false })
  const rik = await as(site, 'redacteur')
  const { uploads } = site.app.context()
  const { probe } = uploads.imageWorker
  const rejections: string[] = []
  uploads.imageWorker.probe = (...given) =>
    probe(...given).catch((error) => {
      rejections.push(String(error))
      throw error
    })
  const svgWith = async (pixels: number) => {
    const raw = { width: pixels, height: pixels, channels: 1 } as const
    const png = await sharp(Buffer.alloc(pixels * pixels), { raw })
      .png()
      .toBuffer()
    return anSvg(`<image width="40" height="20" xlink:href="data:image/png;base64,${png.toString('base64')}"/>`)
  }

  const refused = await upload(rik, 'groot.svg', await svgWith(9_000))

  expect([refused.status, (await refused.json()).errors[0].path]).toEqual([422, 'file'])
  expect(rejections).toEqual([expect.stringContaining('it took too much memory')])
  expect((await upload(rik, 'klein.svg', await svgWith(12))).status).toBe(201)
})
