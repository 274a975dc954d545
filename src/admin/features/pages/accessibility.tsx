import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useContext } from 'react'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { currentLocale, translate, useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { EditorFrame } from '../blocks/canvas-tools.ts'
import { checkAccessibility, type Finding, fieldOfRule } from '../blocks/check-accessibility.ts'
import { toPuck } from '../blocks/puck-data.ts'
import type { PageEditor } from './page-editor.ts'
import styles from './page-settings.module.css'

/** The last check of the page, which stays while its findings are followed. */
export const useAccessibilityCheck = () => useMutation({ mutationFn: () => checkAccessibility() })
export type AccessibilityCheck = ReturnType<typeof useAccessibilityCheck>

/** Checks the page when asked to, and leads from each finding to its block. */
export function Accessibility({ work, check }: { work: PageEditor; check: AccessibilityCheck }) {
  const t = useText()
  const { choose } = useContext(EditorFrame)
  const { data: findings, isPending, isSuccess, isError } = check
  return (
    <>
      <p className="quiet small flush">{t('pages.accessibility.lead')}</p>
      <div>
        <Button variant="default" loading={isPending} onClick={() => check.mutate()}>
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
                <FindingText finding={finding} body={work.text.body} onChoose={choose} />
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
      {isSerious && <TriangleAlert size={18} aria-label={t('pages.accessibility.serious')} />}
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
