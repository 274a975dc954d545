import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumFlags } from '../scripts/setup/chromium.mjs'
import { npm } from '../scripts/setup/project.mjs'
import { median } from './load.ts'

const flags = ['--headless', ...chromiumFlags]

export interface FirstView {
  /** Without those for images. */
  requests: number
  /** On the wire, including headers. */
  bytes: { document: number; script: number; stylesheet: number; font: number; image: number; other: number }
  /** Largest contentful paint in Chromium on this machine, without throttling. */
  paintMs: number
}

/**
 * The first visit of a phone with an empty cache, including icons that only the browser interface shows.
 * @param cookie the Cookie header of a signed-in user
 */
export async function firstView(url: string, cookie?: string): Promise<FirstView> {
  const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH as string, args: flags })
  try {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    for (const one of cookie?.split('; ') ?? []) {
      const [name = '', value = ''] = one.split(/=(.*)/s)
      await context.addCookies([{ name, value, url }])
    }
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    const kinds = new Map<string, string>()
    const bytes = { document: 0, script: 0, stylesheet: 0, font: 0, image: 0, other: 0 }
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      // A data URL in the styles is no request.
      if (!response.url.startsWith('data:')) kinds.set(requestId, type.toLowerCase())
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId)
      if (kind === undefined) return
      bytes[kind in bytes ? (kind as keyof typeof bytes) : 'other'] += encodedDataLength
    })
    await page.goto(url, { waitUntil: 'networkidle' })
    const paintMs = await page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
            type: 'largest-contentful-paint',
            buffered: true,
          }),
        ),
    )
    const requests = [...kinds.values()].filter((kind) => kind !== 'image').length
    return { requests, bytes, paintMs }
  } finally {
    await browser.close()
  }
}

/** Of all kinds of files together. */
export const sumOf = (bytes: FirstView['bytes']): number => Object.values(bytes).reduce((sum, one) => sum + one, 0)

export interface Audit {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  /** Milliseconds, by Lighthouse's simulation of a slow phone on a slow network. */
  lcp: number
  tbt: number
  cls: number
  /** The audits that kept a category below 100. */
  lost: string[]
}

/** Lighthouse with its settings for phones; the median of several runs, by LCP. */
export function audit(url: string, runs: number): Audit {
  const audits: Audit[] = []
  // On a busy machine a page may not be painted in time; then Lighthouse has no LCP.
  for (let run = 0; run < runs * 2 && audits.length < runs; run++) {
    const one = auditOnce(url)
    if (Number.isFinite(one.lcp)) audits.push(one)
  }
  const middle = median(audits.map((one) => one.lcp))
  const found = audits.find((one) => one.lcp === middle)
  if (!found) throw new Error(`Lighthouse saw no paint of ${url}`)
  return found
}

/** The result of Lighthouse, as far as it is used here. */
interface Result {
  categories: Record<string, { id: string; score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; numericValue?: number }>
}

/** npm fetches Lighthouse when it is first needed: it is a sixth of all packages, and only the bench uses it. */
function auditOnce(url: string): Audit {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-lighthouse-'))
  try {
    const report = join(folder, 'report.json')
    // It starts the browser of CHROME_PATH.
    const code = npm([
      ...['exec', '--yes', '--package=lighthouse@13.5.0', '--', 'lighthouse', url, '--quiet'],
      ...['--output=json', `--output-path=${report}`, `--chrome-flags=${flags.join(' ')}`],
    ])
    if (code !== 0) throw new Error(`Lighthouse said nothing of ${url}`)
    const { categories, audits }: Result = JSON.parse(readFileSync(report, 'utf8'))
    const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
    const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
    const lost = Object.values(categories).flatMap((category) =>
      category.auditRefs
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${category.id}: ${id}`),
    )
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
      lcp: value('largest-contentful-paint'),
      tbt: value('total-blocking-time'),
      cls: value('cumulative-layout-shift'),
      lost,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
