import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { chromiumFlags } from '../scripts/setup/chromium.mjs'
import type { PageInLocale } from '../src/contract/pages.ts'
import { trackRequests, waitForNetworkIdle } from '../test/support/network-idle.ts'
import { median } from './load.ts'
import { aFolder, type Running, startEtalage } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn } from './signed-in.ts'
import { untilCompressed } from './throughput.ts'

const log = (text: string) => process.stderr.write(`${text}\n`)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const rounds = Number(process.env.R ?? 5)

/** What one step in the browser took. */
interface Measured {
  ms: number
  /** Processor time of the page's main thread, by Chromium's own count. */
  processorMs: number
  /** The longest task, while the page answers to nothing. */
  longestTaskMs: number
}

/** The editor with the delivered home page, a preview of settings, and an upload on the canvas. */
export async function measureEditor(): Promise<Figure[]> {
  const etalage = await startEtalage(aFolder(), admin)
  const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH as string, args: [...chromiumFlags] })
  try {
    const cookie = await firstSignIn(etalage)
    await untilCompressed(etalage)
    const pages = await homeAndItsCopy(etalage, cookie)
    const visit = async () => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: etalage.url })
      await context.addCookies(cookiesOf(cookie, etalage.url))
      return context
    }
    // The first requests get gzip; brotli is ready a moment later.
    await openings(await visit(), pages)
    const [cold, warm, previews] = [[], [], []] as [Measured[], Measured[], Measured[]]
    const uploads: Uploaded[] = []
    let sent = { bytes: 0, laterBytes: 0 }
    for (let round = 0; round < rounds; round++) {
      log(`The editor, round ${round + 1} of ${rounds}`)
      const opened = await openings(await visit(), pages)
      cold.push(opened.first)
      warm.push(opened.second)
      previews.push(await settingsPreview(await visit()))
      const uploaded = await uploadOnCanvas(await visit(), pages[1] as number, round)
      uploads.push(uploaded)
      sent = uploaded
    }
    return [
      ...openingFigures(cold, warm, sent),
      figure('from a change in a form of Settings to the changed preview', previews, 300),
      ...uploadFigures(uploads),
    ]
  } finally {
    await browser.close()
    await etalage.stop()
  }
}

const middleOf = <Key extends string>(many: Record<Key, number>[], key: Key) => median(many.map((one) => one[key]))

const figure = (what: string, many: Measured[], goalMs: number): Figure => ({
  what,
  ours: `${whole(middleOf(many, 'ms'))} ms`,
  bare: '',
  goal: `≤ ${whole(goalMs)} ms`,
  met: middleOf(many, 'ms') <= goalMs,
  note: `${whole(Math.min(...many.map(({ ms }) => ms)))} ms at best; ${whole(middleOf(many, 'processorMs'))} ms of processor for the page, longest task ${whole(middleOf(many, 'longestTaskMs'))} ms`,
})

const openingFigures = (
  cold: Measured[],
  warm: Measured[],
  { bytes, laterBytes }: Pick<Uploaded, 'bytes' | 'laterBytes'>,
): Figure[] => [
  {
    ...figure('from the click on the home page to a typed letter, first time in this browser', cold, 1_000),
  },
  figure('the same, for a second page', warm, 1_000),
  {
    what: "the editor's first view, until the page is seen: scripts and styles",
    ours: kilobytes(bytes),
    bare: '',
    goal: '≤ 450 KiB',
    met: bytes <= 450 * 1024,
    note: `${kilobytes(laterBytes)} more while nothing else is done: dialogs, the rich text editor, the list of blocks`,
  },
]

interface Uploaded {
  seenMs: number
  servedMs: number
  /** Of the scripts and styles until the page was seen. */
  bytes: number
  /** Of those that were loaded in advance after that. */
  laterBytes: number
}

const uploadFigures = (uploads: Uploaded[]): Figure[] => [
  {
    what: 'a photo of 4000×3000 dropped on the canvas, until it is seen',
    ours: `${whole(middleOf(uploads, 'seenMs'))} ms`,
    bare: '',
    goal: 'at once',
    met: middleOf(uploads, 'seenMs') <= 300,
  },
  {
    what: 'the same, until its first width is served',
    ours: `${whole(middleOf(uploads, 'servedMs'))} ms`,
    bare: '',
    goal: '≤ 2,000 ms',
    met: middleOf(uploads, 'servedMs') <= 2_000,
    note: `${whole(Math.min(...uploads.map(({ servedMs }) => servedMs)))} ms at best`,
  },
]

const cookiesOf = (header: string, url: string) =>
  header.split('; ').map((one) => {
    const [name = '', value = ''] = one.split(/=(.*)/s)
    return { name, value, url }
  })

/** The ids of the home page and of another page with the same blocks below an image. */
async function homeAndItsCopy({ url }: Running, cookie: string): Promise<number[]> {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { cookie, 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { data } = (await call('GET', '/pages?pageSize=50')) as { data: { id: number; nl: { slug: string } | null }[] }
  const home = data.find(({ nl }) => nl?.slug === '')
  if (!home) throw new Error('there is no home page')
  const { text } = (await call('GET', `/pages/${home.id}/nl`)) as PageInLocale
  const { id } = (await call('POST', '/pages', { locale: 'nl', title: 'Tweede' })) as { id: number }
  const { version } = (await call('GET', `/pages/${id}/nl`)) as PageInLocale
  const image = { type: 'image', id: 'foto', src: '/logo.svg', alt: '' }
  const copy = { ...text, title: 'Tweede', slug: 'tweede', body: [image, ...text.body] }
  await call('PUT', `/pages/${id}/nl`, { text: copy, version, publish: false })
  return [home.id, id]
}

/** Opens one page and then the other from the list, in a browser that knows nothing yet. */
async function openings(context: BrowserContext, [home, copy]: number[]) {
  const page = await context.newPage()
  trackRequests(page)
  const session = await context.newCDPSession(page)
  await page.goto('/admin/pages')
  await page.locator(`a[href="/admin/pages/${home}/nl"]`).first().waitFor()
  await waitForNetworkIdle(page)
  // A person looks for the page in the list; meanwhile the code of the editor is loaded.
  await page.waitForTimeout(1_000)
  const first = await open(page, session, home as number)
  await waitForNetworkIdle(page)
  await page.locator('header a[href="/admin/pages"]').click()
  await page.locator(`a[href="/admin/pages/${copy}/nl"]`).first().waitFor()
  await waitForNetworkIdle(page)
  const second = await open(page, session, copy as number)
  await context.close()
  return { first, second }
}

/** Clicks on a page of the list and types a letter on its canvas as soon as that is possible. */
async function open(page: Page, session: CDPSession, id: number): Promise<Measured> {
  const draft = waitForDraft(page)
  const typed = await measured(session, page, async () => {
    await page.evaluate(watchForTyping, id)
    await page.locator(`a[href="/admin/pages/${id}/nl"]`).first().click()
    return page.evaluate(() => (window as unknown as { typed: Promise<number> }).typed)
  })
  const kept = await draft
  if (!kept.postData()?.includes(typedText)) throw new Error('the typed letter was lost')
  await kept.response()
  await page.context().request.delete(`/api/pages/${id}/nl/draft`)
  return typed
}

const waitForDraft = (page: Page) =>
  page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/draft'))

const typedText = 'Étalage'

/** In the page: begins at the next click, and types into the first heading of the canvas when it is there. */
function watchForTyping() {
  const text = 'Étalage'
  const nextFrame = () => new Promise(requestAnimationFrame)
  const box = window as unknown as { typed: Promise<number> }
  box.typed = new Promise((resolve) => {
    addEventListener(
      'click',
      async () => {
        const begun = performance.now()
        for (;;) {
          await nextFrame()
          const frame = document.querySelector<HTMLIFrameElement>('[data-page-field="body"] iframe')
          const heading = frame?.contentDocument?.querySelector<HTMLElement>('h1 [data-typed], h1[data-typed]')
          const styled = frame?.contentDocument?.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')?.sheet
          if (!frame?.contentDocument || !heading || !styled || !heading.checkVisibility()) continue
          heading.focus()
          frame.contentDocument.execCommand('insertText', false, text)
          await nextFrame()
          await nextFrame()
          if (heading.isConnected && heading.textContent?.includes(text)) return resolve(performance.now() - begun)
        }
      },
      { capture: true, once: true },
    )
  })
}

/** Runs a step that returns its own time, and adds what the page's main thread did meanwhile. */
async function measured(session: CDPSession, page: Page, step: () => Promise<number>): Promise<Measured> {
  await session.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  await page.evaluate(() => {
    const box = window as unknown as { longest: number }
    box.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) box.longest = Math.max(box.longest, duration)
    }).observe({ type: 'longtask' })
  })
  const before = await busy()
  const ms = await step()
  const processorMs = ((await busy()) - before) * 1_000
  const longestTaskMs = await page.evaluate(() => (window as unknown as { longest: number }).longest)
  return { ms, processorMs, longestTaskMs }
}

/** Counts the scripts and styles on the wire. */
async function bytesOf(session: CDPSession): Promise<{ bytes: () => number }> {
  const wanted = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script' || type === 'Stylesheet') wanted.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (wanted.has(requestId)) bytes += encodedDataLength
  })
  await session.send('Network.enable')
  return { bytes: () => bytes }
}

/** Types a name of the company, which the header shows. */
async function settingsPreview(context: BrowserContext): Promise<Measured> {
  const page = await context.newPage()
  trackRequests(page)
  const session = await context.newCDPSession(page)
  await page.goto('/admin/config/brand')
  await page.locator('iframe:not([data-loading])').waitFor()
  await waitForNetworkIdle(page)
  const times: Measured[] = []
  for (const name of ['Eerste', 'Tweede', 'Derde']) {
    const field = page.locator('form input[type="text"], form input:not([type])').first()
    times.push(
      await measured(session, page, async () => {
        await page.evaluate((wanted) => {
          const box = window as unknown as { shown: Promise<number> }
          box.shown = new Promise((resolve) => {
            const waitForText = (begun: number) => {
              const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe:not([data-loading])')]
              const shown = frames.some((one) => one.contentDocument?.body?.textContent?.includes(wanted))
              if (shown) requestAnimationFrame(() => resolve(performance.now() - begun))
              else requestAnimationFrame(() => waitForText(begun))
            }
            addEventListener('input', () => waitForText(performance.now()), { capture: true, once: true })
          })
        }, name)
        await field.fill(name)
        return page.evaluate(() => (window as unknown as { shown: Promise<number> }).shown)
      }),
    )
  }
  await context.close()
  // The middle one: the first may find the server's parts cold.
  return times.sort((a, b) => a.ms - b.ms)[1] as Measured
}

/** Drops a photo on the image of the canvas. */
async function uploadOnCanvas(context: BrowserContext, id: number, number: number): Promise<Uploaded> {
  const photo = await aPhoto(number)
  const page = await context.newPage()
  trackRequests(page)
  await page.route('**/bench-photo', (route) => route.fulfill({ body: photo, contentType: 'image/jpeg' }))
  const sent = await bytesOf(await context.newCDPSession(page))
  await page.goto(`/admin/pages/${id}/nl`)
  await page.frameLocator('[data-page-field="body"] iframe').locator('[data-puck-component]').first().waitFor()
  const bytes = sent.bytes()
  // `usePreload` begins when nothing was loaded for three seconds.
  await page.waitForTimeout(3_500)
  await waitForNetworkIdle(page)
  const laterBytes = sent.bytes() - bytes
  const draft = waitForDraft(page)
  const times = await page.evaluate(async () => {
    const bytes = await (await fetch('/bench-photo')).blob()
    const frame = document.querySelector('[data-page-field="body"] iframe') as HTMLIFrameElement
    const canvas = frame.contentDocument as Document
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], 'foto.jpg', { type: 'image/jpeg' }))
    const view = canvas.defaultView as unknown as { DragEvent: typeof DragEvent }
    const target = canvas.querySelector('[data-puck-component="foto"] img') as Element
    const known = new Set([...canvas.images].map(({ currentSrc }) => currentSrc))
    const begun = performance.now()
    target.dispatchEvent(new view.DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    let seenMs: number | undefined
    for (;;) {
      await new Promise(requestAnimationFrame)
      const added = [...canvas.images].filter(
        ({ currentSrc, complete, naturalWidth }) =>
          complete && naturalWidth > 32 && /^blob:|\/files\//.test(currentSrc) && !known.has(currentSrc),
      )
      if (added.length > 0) seenMs ??= performance.now() - begun
      if (seenMs !== undefined && added.some(({ currentSrc }) => /\/files\/[0-9a-f]{32}\/\d+\//.test(currentSrc))) {
        return { seenMs, servedMs: performance.now() - begun }
      }
      if (performance.now() - begun > 10_000) return { seenMs: seenMs ?? 10_000, servedMs: 10_000 }
    }
  })
  // Autosaved after the drop: deleted earlier, it would be stored again.
  await (await draft).response()
  await page.context().request.delete(`/api/pages/${id}/nl/draft`)
  await context.close()
  return { ...times, bytes, laterBytes }
}

/** 4000×3000 with some detail, of about 3 MB. */
async function aPhoto(number: number): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 120 + number, sigma: 30 }
  const noisy = sharp({ create: { width: 1_000, height: 750, channels: 3, background: '#336655', noise } })
  const large = sharp(await noisy.png().toBuffer()).resize(4_000, 3_000)
  return large.jpeg({ quality: 88 }).toBuffer()
}
