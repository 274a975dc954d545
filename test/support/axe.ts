import AxeBuilder from '@axe-core/playwright'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * All axe violations, one line each. Unless frames are checked, axe is injected into the page once. That is four times as
 * fast as AxeBuilder, which runs in every frame and merges the results in a separate page.
 * @param how.part the selector of what to check; by default the whole document
 * @param how.only the rules; by default those that axe enables, and target-size
 * @param how.frames false skips the content of frames
 */
export async function axeViolations(
  page: Page,
  how: { part?: string; only?: string[]; frames?: boolean } = {},
): Promise<string[]> {
  const { part, only, frames = true } = how
  const options: RunOptions = {
    resultTypes: ['violations'],
    iframes: frames,
    ...(only ? { runOnly: only } : { rules: { 'target-size': { enabled: true } } }),
  }
  const check = frames && page.frames().length > 1 ? checkEachFrame : checkMainFrame
  const { violations, passes } = await check(page, part, options)
  // A page that is empty or was not loaded has no violations either.
  expect(passes.length).toBeGreaterThan(only ? 0 : part ? 5 : 10)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

function checkEachFrame(page: Page, part: string | undefined, options: RunOptions): Promise<AxeResults> {
  const builder = new AxeBuilder({ page }).options(options)
  return (part ? builder.include(part) : builder).analyze()
}

async function checkMainFrame(page: Page, part: string | undefined, options: RunOptions): Promise<AxeResults> {
  await injectAxe(page)
  return page.evaluate(
    ([part, options]) => (window as unknown as { axe: typeof axe }).axe.run(part ?? document, options),
    [part, options] as const,
  )
}

/** Adds the script of axe to the page, unless it is there. */
export async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(`${axe.source};undefined`)
}
