import type { AxeResults, ElementContext, RunOptions, Spec } from 'axe-core'
import axeUrl from 'axe-core/axe.min.js?url'
import { canvasDocument } from './canvas-events.ts'

/** What an editor can do something about; the rest is the work of the blocks themselves. */
export const checkedRules = [
  'picture-without-description',
  'image-alt',
  'image-redundant-alt',
  'link-name',
  'link-in-text-block',
  'button-name',
  'empty-heading',
  'heading-order',
  'empty-table-header',
  'color-contrast',
  'frame-title',
] as const
export type CheckedRule = (typeof checkedRules)[number]

/** The name of the field of a block with which a finding is mended; of the others it is not known. */
export const fieldOfRule: { [Rule in CheckedRule]?: string } = {
  'picture-without-description': 'alt',
  'image-alt': 'alt',
  'image-redundant-alt': 'alt',
  'empty-heading': 'title',
  'heading-order': 'title',
}

/** One thing that fails in one block. */
export interface Finding {
  rule: CheckedRule
  /** The id of the block in the editor; undefined for the page's own title. */
  block: string | undefined
  /** How many times. */
  count: number
  isSerious: boolean
}

interface Axe {
  configure(spec: Spec): void
  run(context: ElementContext, options: RunOptions): Promise<AxeResults>
}
type Canvas = Window & { axe?: Axe }

let running: Promise<Finding[] | undefined> | undefined

/**
 * Checks the content of the page that the canvas shows, without the header and footer around it. Who asks while it is
 * being checked gets the same answer: axe cannot run twice at once.
 * @returns undefined while no canvas is shown
 */
export function checkAccessibility(): Promise<Finding[] | undefined> {
  running ??= checkCanvas().finally(() => {
    running = undefined
  })
  return running
}

async function checkCanvas(): Promise<Finding[] | undefined> {
  const page = canvasDocument()
  const main = page?.querySelector('main')
  const view = page?.defaultView as Canvas | null | undefined
  if (!page || !main || !view) return undefined
  // In a document that has gone, axe never ends.
  const gone = new Promise<undefined>((resolve) => {
    view.addEventListener('pagehide', () => resolve(undefined), { once: true })
  })
  const violations = await Promise.race([violationsIn(main, page, view), gone])
  if (!violations) return undefined
  const findings = new Map<string, Finding>()
  for (const { id, impact, nodes } of violations) {
    for (const { element } of nodes) {
      const block = element?.closest<HTMLElement>('[data-puck-component]')?.dataset.puckComponent
      const key = `${id} ${block}`
      const found = findings.get(key)
      if (found) found.count++
      else {
        const isSerious = impact === 'serious' || impact === 'critical'
        findings.set(key, { rule: id as CheckedRule, block, count: 1, isSerious })
      }
    }
  }
  return [...findings.values()].sort((one, other) => Number(other.isSerious) - Number(one.isSerious))
}

async function violationsIn(main: Element, page: Document, view: Canvas): Promise<AxeResults['violations']> {
  const axe = view.axe ?? (await loadAxe(page, view))
  const { violations } = await axe.run(main, {
    runOnly: [...checkedRules],
    resultTypes: ['violations'],
    elementRef: true,
    iframes: false,
  })
  return violations
}

/** axe looks at its own document, so it is loaded in that of the canvas. */
async function loadAxe(page: Document, view: Canvas): Promise<Axe> {
  const script = page.createElement('script')
  script.src = axeUrl
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new TypeError(`not loaded: ${axeUrl}`)))
    page.head.append(script)
  })
  const { axe } = view
  if (!axe) throw new Error('axe is not there after it was loaded')
  // Without a description an image counts as a decoration, which only the editor can know.
  axe.configure({
    rules: [
      {
        id: 'picture-without-description',
        selector: 'img[alt=""]:not(.blurred, .lockup img)',
        impact: 'minor',
        any: [],
        all: [],
        none: ['picture-is-there'],
        metadata: { description: '', help: '', helpUrl: '' },
      },
    ],
    checks: [{ id: 'picture-is-there', evaluate: () => true, metadata: { impact: 'minor' } } as never],
  })
  return axe
}
