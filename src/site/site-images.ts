import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { imageFonts } from 'virtual:image-fonts'
import { Refusal } from '../contract/errors.ts'
import { splitLocale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { type KeptAnswer, makeAnswer } from '../http/kept-answers.ts'
import { contentType } from '../http/public-files.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { Log } from '../platform/log/log.ts'
import type { DrawJob } from './draw-images.ts'
import { isUpload, type LogoParts, readLogo } from './logo.ts'
import { openGraphDrawing } from './open-graph.ts'
import { iconDrawings } from './site-icons.ts'

const retryMs = 60_000

/** What is asked of the pictures: what they are made from, and the address of the site. */
type Asked = LogoParts & { origin: string }

export type SiteImages = ReturnType<typeof siteImages>

/**
 * The icons and the pictures for shared links, drawn from the logo and the brand. They are kept as files, in a folder
 * named for what they are made from, so a picture is drawn once and a change of the brand makes new ones.
 */
export function siteImages(parts: { cacheDir: string; log: Log }) {
  const drawing = new Map<string, Promise<string>>()

  /** The folder of the pictures of this configuration, once they are in it. */
  async function folderOf(asked: LogoParts): Promise<string> {
    const job = drawJob(asked.site, await readLogo(asked))
    const key = createHash('sha256').update(JSON.stringify(job.drawings)).digest('hex').slice(0, 16)
    const folder = join(parts.cacheDir, `images-${key}`)
    if (existsSync(folder)) return folder
    let running = drawing.get(folder)
    if (!running) {
      running = drawInto(folder, job).finally(() => drawing.delete(folder))
      drawing.set(folder, running)
    }
    return running
  }

  const failed = new WeakMap<SiteConfig, number>()

  /** What a broken logo makes impossible is tried once in a while, and not by every visitor. */
  async function unlessBroken<T>(site: SiteConfig, work: () => Promise<T>): Promise<T | undefined> {
    if ((failed.get(site) ?? 0) > performance.now()) return undefined
    try {
      return await work()
    } catch (error) {
      if (!failed.has(site)) parts.log.error({ err: error }, 'the icons could not be drawn')
      failed.set(site, performance.now() + retryMs)
      return undefined
    }
  }

  return {
    has: (address: string, { site }: Pick<Asked, 'site'>): boolean => fileNameOf(address, site) !== undefined,

    /** The picture at an address. @throws {Refusal} `not_found` where there is none, or none that can be drawn */
    async get(address: string, asked: Asked): Promise<KeptAnswer> {
      const { site, origin } = asked
      const name = fileNameOf(address, site)
      if (!name) throw new Refusal('not_found')
      const body =
        name === 'favicon.svg'
          ? await readLogo(asked).then(Buffer.from, () => undefined)
          : await unlessBroken(site, async () => readFile(join(await folderOf(asked), name)))
      if (!body) throw new Refusal('not_found')
      return makeAnswer({
        body,
        headers: [
          ['Content-Type', contentType(name)],
          ['Cache-Control', 'public, max-age=86400'],
          ...securityHeaders(origin),
        ],
        // An upload may be replaced without a change of the configuration.
        tags: isUpload(site) ? ['site', 'page'] : ['site'],
        packs: name.endsWith('.svg'),
      })
    },

    /** Draws ahead of the first visitor. A machine that cannot draw serves the site without pictures. */
    async draw(asked: LogoParts): Promise<void> {
      await unlessBroken(asked.site, () => folderOf(asked))
    },
  }
}

const icons = [
  'favicon.svg',
  'favicon.ico',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable.png',
  'apple-touch-icon.png',
]

function fileNameOf(address: string, site: SiteConfig): string | undefined {
  const { locale, path } = splitLocale(address)
  if (path === '/opengraph.png' && site.locales.includes(locale)) return `opengraph-${locale}.png`
  return icons.find((name) => address === `/${name}`)
}

function drawJob(site: SiteConfig, logo: string): Omit<DrawJob, 'folder'> {
  const [display, persian] = imageFonts
  const families = { display: display?.family ?? '', persian: persian?.family ?? '' }
  return {
    fonts: imageFonts.map(({ file }) => file),
    drawings: [
      ...iconDrawings(site, logo),
      ...site.locales.map((locale) => openGraphDrawing({ site, locale, logo, families })),
    ],
  }
}

/** Draws beside the folder and puts it in place when it is whole. */
async function drawInto(folder: string, job: Omit<DrawJob, 'folder'>): Promise<string> {
  const unfinished = `${folder}.${randomUUID()}`
  await mkdir(unfinished, { recursive: true })
  try {
    await runDrawing({ ...job, folder: unfinished })
    // Another copy of the program may have been first; then its pictures are as good.
    await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}

async function runDrawing(job: DrawJob): Promise<void> {
  const program = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'draw-images.ts' : 'draw-images.js')
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'pipe'] })
  const said = text(child.stderr)
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(job))
  const status = await ended
  if (status !== 0) throw new Error(`drawing ended with status ${status}: ${(await said).slice(-2_000)}`)
}
