import AxeBuilder from '@axe-core/playwright'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Everything that axe finds, one line for each place. Axe is put into a page once, and tells no more than what is wrong:
 * that is four times as fast as its builder, which looks at every frame by itself and reckons in a page of its own.
 * @param how.part a selector of what is looked at; `how.only` the rules, left out all of them and the size of targets;
 * `how.frames` false: without the pages in its frames
 */
export async function foundByAxe(
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
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(`${axe.source};undefined`)
  return page.evaluate(
    ([part, options]) => (window as unknown as { axe: typeof axe }).axe.run(part ?? document, options),
    [part, options] as const,
  )
}
