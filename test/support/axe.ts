import AxeBuilder from '@axe-core/playwright'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * All axe violations, one line each. axe is injected once per page and reports violations only, which
 * is four times as fast as AxeBuilder, which runs in every frame and merges the results in a separate page.
 * @param how.part the selector to check; `how.only` the rules, by default all and target-size;
 * `how.frames` false: without frames
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
  const { violations, passes } = await (frames && page.frames().length > 1 ? inEachFrame : inOne)(page, part, options)
  expect(passes.length).toBeGreaterThan(only ? 0 : part ? 5 : 10)
  return violations.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

function inEachFrame(page: Page, part: string | undefined, options: RunOptions): Promise<AxeResults> {
  const builder = new AxeBuilder({ page }).options(options)
  return (part ? builder.include(part) : builder).analyze()
}

async function inOne(page: Page, part: string | undefined, options: RunOptions): Promise<AxeResults> {
  await injectAxe(page)
  return page.evaluate(
    ([part, options]) => (window as unknown as { axe: typeof axe }).axe.run(part ?? document, options),
    [part, options] as const,
  )
}

export async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(`${axe.source};undefined`)
}
