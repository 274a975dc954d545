import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AxeResults, ElementContext, RunOptions, Spec } from 'axe-core'
import axeUrl from 'axe-core/axe.min.js?url'
import { TriangleAlert } from 'lucide-react'
import { useContext } from 'react'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { currentLocale, translate, useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { canvasDocument } from '../blocks/canvas-events.ts'
import { EditorFrame } from '../blocks/canvas-tools.ts'
import { toPuck } from '../blocks/puck-data.ts'
import type { PageEditor } from './page-editor.ts'
import styles from './page-settings.module.css'

/** The last check of the page, which stays while its findings are followed. */
export const useAccessibilityCheck = () => useMutation({ mutationFn: () => checkAccessibility() })
export type AccessibilityCheck = ReturnType<typeof useAccessibilityCheck>

/** Checks the page when asked to, and leads from each finding to its block. */
export function Accessibility({ work, check }: { work: PageEditor; check: AccessibilityCheck }) {
  const t = useText()
  const { selectBlock } = useContext(EditorFrame)
  const { data: findings, isPending, isSuccess, isError } = check
  return (
    <>
      <p className="quiet small flush">{t('pages.accessibility.lead')}</p>
      <div>
        <Button loading={isPending} onClick={() => check.mutate()}>
          {t(isSuccess ? 'pages.accessibility.again' : 'pages.accessibility.check')}
        </Button>
      </div>
      <div role="status" className="stack">
        {isError && <p className="flush">{t('pages.accessibility.failed')}</p>}
        {isSuccess && !findings && <p className="flush">{t('pages.accessibility.onPage')}</p>}
        {findings?.length === 0 && <p className="flush good">{t('pages.accessibility.nothing')}</p>}
        {findings && findings.length > 0 && (
          <ul className={styles.findings}>
            {findings.map((finding) => (
              <li key={`${finding.rule} ${finding.block}`}>
                <FindingText finding={finding} body={work.text.body} onChoose={selectBlock} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function FindingText(props: {
  finding: Finding
  body: PageEditor['text']['body']
  onChoose: (block: string, field?: string) => void
}) {
  const { finding, body, onChoose } = props
  const { rule, block, count, isSerious } = finding
  const t = useText()
  const name = nameOfBlock(body as StoredBlock[], block, useLocale())
  const text = (
    <>
      {isSerious && <TriangleAlert aria-label={t('pages.accessibility.serious')} />}
      <span>
        {name && <strong>{name}</strong>}
        {t(`pages.accessibility.rules.${rule}`)}
        {count > 1 && ` (${t('pages.accessibility.times', { count })})`}
      </span>
    </>
  )
  if (!block) return <p className="flush">{text}</p>
  return (
    <button type="button" onClick={() => onChoose(block, fieldOfRule[rule])}>
      {text}
    </button>
  )
}

/** The name of a block at any depth. */
function nameOfBlock(body: readonly StoredBlock[], id: string | undefined, locale: Parameters<typeof blockName>[1]) {
  const search = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined
    const { type, props } = value as { type?: unknown; props?: { id?: unknown } }
    if (typeof type === 'string' && props?.id === id) return blockName(type, locale)
    for (const inner of Object.values(value)) {
      const found = search(inner)
      if (found) return found
    }
    return undefined
  }
  return id === undefined ? undefined : search(toPuck(body).content)
}

/** Warns of serious failures before publishing. @returns whether to continue */
export async function confirmAccessible({ text }: PageEditor, check: AccessibilityCheck): Promise<boolean> {
  const serious = ((await check.mutateAsync()) ?? []).filter(({ isSerious }) => isSerious)
  if (serious.length === 0) return true
  const locale = currentLocale()
  return confirmInDialog({
    title: translate('pages.accessibility.beforePublishing'),
    text: serious
      .map(({ rule, block }) =>
        [nameOfBlock(text.body as StoredBlock[], block, locale), translate(`pages.accessibility.rules.${rule}`)]
          .filter(Boolean)
          .join(': '),
      )
      .join(' '),
    yes: translate('pages.examples.yes'),
    no: translate('pages.accessibility.show'),
  })
}

/** The rules for problems that an editor can solve; the blocks themselves must satisfy the others. */
const checkedRules = [
  'image-without-description',
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
type CheckedRule = (typeof checkedRules)[number]

/** The name of the field of a block with which a finding is mended; of the others it is not known. */
const fieldOfRule: { [Rule in CheckedRule]?: string } = {
  'image-without-description': 'alt',
  'image-alt': 'alt',
  'image-redundant-alt': 'alt',
  'empty-heading': 'title',
  'heading-order': 'title',
}

/** One thing that fails in one block. */
interface Finding {
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
 * Checks the content of the page that the canvas shows, without the header and footer around it. Calls
 * during a check share its result: axe cannot run twice at once.
 * @returns undefined while no canvas is shown
 */
function checkAccessibility(): Promise<Finding[] | undefined> {
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

/** axe checks the document that it is loaded in, so it is loaded in that of the canvas. */
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
        id: 'image-without-description',
        selector: 'img[alt=""]:not(.blurred, .lockup img)',
        impact: 'minor',
        any: [],
        all: [],
        none: ['image-is-there'],
        metadata: { description: '', help: '', helpUrl: '' },
      },
    ],
    checks: [{ id: 'image-is-there', evaluate: () => true, metadata: { impact: 'minor' } } as never],
  })
  return axe
}
