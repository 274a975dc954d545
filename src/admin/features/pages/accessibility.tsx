import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AxeResults, ElementContext, RunOptions, Spec } from 'axe-core'
import axeUrl from 'axe-core/axe.min.js?url'
import { TriangleAlert } from 'lucide-react'
import { useContext } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { currentLocale, translate, useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { canvasDocument } from '../blocks/canvas-events.ts'
import { EditorFrameContext } from '../blocks/canvas-tools.ts'
import { toPuck } from '../blocks/puck-data.ts'
import type { PageEditor } from './page-editor.ts'
import styles from './page-settings.module.css'

/** The last check. The screen holds it, so that its findings stay when the settings are closed. */
export const useAccessibilityCheck = () => useMutation({ mutationFn: () => checkAccessibility() })
export type AccessibilityCheck = ReturnType<typeof useAccessibilityCheck>

/** A button that checks the page, and the findings, each of which selects its block. */
export function Accessibility({ editor, check }: { editor: PageEditor; check: AccessibilityCheck }) {
  const t = useText()
  const { selectBlock } = useContext(EditorFrameContext)
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
                <FindingText finding={finding} body={editor.text.body} onSelect={selectBlock} />
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
  onSelect: (block: string, field?: string) => void
}) {
  const { finding, body, onSelect } = props
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
    <button type="button" onClick={() => onSelect(block, fieldOfRule[rule])}>
      {text}
    </button>
  )
}

/** The name of the type of a block, found at any depth by its id in the editor. Undefined without an id. */
function nameOfBlock(body: readonly StoredBlock[], id: string | undefined, uiLocale: Locale) {
  const search = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined
    const { type, props } = value as { type?: unknown; props?: { id?: unknown } }
    if (typeof type === 'string' && props?.id === id) return blockName(type, uiLocale)
    for (const child of Object.values(value)) {
      const name = search(child)
      if (name) return name
    }
    return undefined
  }
  return id === undefined ? undefined : search(toPuck(body).content)
}

/** Checks the page before publishing, and warns of serious failures. @returns whether to publish */
export async function confirmAccessible({ text }: PageEditor, check: AccessibilityCheck): Promise<boolean> {
  const serious = ((await check.mutateAsync()) ?? []).filter(({ isSerious }) => isSerious)
  if (serious.length === 0) return true
  const uiLocale = currentLocale()
  return confirmInDialog({
    title: translate('pages.accessibility.beforePublishing'),
    text: serious
      .map(({ rule, block }) =>
        [nameOfBlock(text.body as StoredBlock[], block, uiLocale), translate(`pages.accessibility.rules.${rule}`)]
          .filter(Boolean)
          .join(': '),
      )
      .join(' '),
    yes: translate('pages.examples.yes'),
    no: translate('pages.accessibility.show'),
  })
}

/** The axe rules for problems that an author can solve. The code of the blocks must satisfy all others. */
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

/** The field of a block in which a failure of the rule can be corrected, where it is the same in every block. */
const fieldOfRule: { [Rule in CheckedRule]?: string } = {
  'image-without-description': 'alt',
  'image-alt': 'alt',
  'image-redundant-alt': 'alt',
  'empty-heading': 'title',
  'heading-order': 'title',
}

/** A rule that fails in a block. */
interface Finding {
  rule: CheckedRule
  /** The id of the block in the editor; undefined for the page's own title. */
  block: string | undefined
  /** The number of elements that fail. */
  count: number
  isSerious: boolean
}

/** What is used of the axe that runs in the canvas. */
interface Axe {
  configure(spec: Spec): void
  run(context: ElementContext, options: RunOptions): Promise<AxeResults>
}
type CanvasWindow = Window & { axe?: Axe }

let runningCheck: Promise<Finding[] | undefined> | undefined

/**
 * Checks the page in the canvas, without its header and footer. Calls during a check share its result: axe cannot run
 * twice at once.
 * @returns the serious findings first; undefined when there is no canvas, or it is closed during the check
 */
function checkAccessibility(): Promise<Finding[] | undefined> {
  runningCheck ??= checkCanvas().finally(() => {
    runningCheck = undefined
  })
  return runningCheck
}

async function checkCanvas(): Promise<Finding[] | undefined> {
  const page = canvasDocument()
  const main = page?.querySelector('main')
  const canvas = page?.defaultView as CanvasWindow | null | undefined
  if (!page || !main || !canvas) return undefined
  // In a closed document axe never ends.
  const closed = new Promise<undefined>((resolve) => {
    canvas.addEventListener('pagehide', () => resolve(undefined), { once: true })
  })
  const violations = await Promise.race([findViolations(main, page, canvas), closed])
  if (!violations) return undefined
  const findings = new Map<string, Finding>()
  for (const { id, impact, nodes } of violations) {
    for (const { element } of nodes) {
      const block = element?.closest<HTMLElement>('[data-puck-component]')?.dataset.puckComponent
      const key = `${id} ${block}`
      const finding = findings.get(key)
      if (finding) finding.count++
      else {
        const isSerious = impact === 'serious' || impact === 'critical'
        findings.set(key, { rule: id as CheckedRule, block, count: 1, isSerious })
      }
    }
  }
  return [...findings.values()].sort((a, b) => Number(b.isSerious) - Number(a.isSerious))
}

async function findViolations(main: Element, page: Document, canvas: CanvasWindow): Promise<AxeResults['violations']> {
  const axe = canvas.axe ?? (await loadAxe(page, canvas))
  const { violations } = await axe.run(main, {
    runOnly: [...checkedRules],
    resultTypes: ['violations'],
    elementRef: true,
    iframes: false,
  })
  return violations
}

/** Loads axe in the canvas, because it checks the document that it is loaded in. */
async function loadAxe(page: Document, canvas: CanvasWindow): Promise<Axe> {
  const script = page.createElement('script')
  script.src = axeUrl
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new TypeError(`not loaded: ${axeUrl}`)))
    page.head.append(script)
  })
  const { axe } = canvas
  if (!axe) throw new Error('axe is not there after it was loaded')
  // For axe an image with an empty alt text is decorative. Only the author knows, so a custom rule reports it.
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
