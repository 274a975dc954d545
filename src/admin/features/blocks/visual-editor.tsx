import { Puck } from '@puckeditor/core'
import { hashKey } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { Scene } from '../../../blocks/define-block.ts'
import { bringsHeading } from '../../../blocks/page-facts.ts'
import { blockSchema } from '../../../blocks/registry.ts'
import { direction, type Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLatest } from '../../components/latest.ts'
import { useLocale, useText } from '../../i18n.ts'
import { CanvasScene } from './canvas.tsx'
import { PageHead } from './page-head.ts'
import type { Problems } from './problems.ts'
import { puckConfig } from './puck-config.tsx'
import { fromPuck, pathOf, toPuck } from './puck-data.ts'
import { puckWords } from './puck-words.ts'
import { CanvasFrame } from './visual-canvas.tsx'
import './visual-editor.css'
import styles from './visual-editor.module.css'
import { VisualLayout } from './visual-layout.tsx'

const iframe = { enabled: true, syncHostStyles: false, waitForStyles: false }
const overrides = { iframe: CanvasFrame }

export interface BodyEditorProps {
  /** As they are stored: `{ type, id?, … }`. */
  value: readonly StoredBlock[]
  onChange: (value: StoredBlock[]) => void
  /** Of the content, not of who writes it. */
  locale: Locale
  /** By their path in the list: `3.items.0.title`. */
  problems?: Problems
  /** Of the page, without its language: `/diensten`. */
  path: string
  /** Stands above the blocks when none of them brings a heading. */
  title: string
}

/** Puck with our blocks, our forms and the site's styles. */
export default function VisualEditor(props: BodyEditorProps & { problems: Problems; scene: Scene }) {
  const { value, onChange, locale, problems, title, scene } = props
  const t = useText()
  const spoken = useLocale()
  const config = useMemo(() => puckConfig({ content: locale, spoken }), [locale, spoken])
  const [begun] = useState(() => toPuck(value))
  /** What both sides agree on: what was told last, or taken over last. */
  const agreed = useRef(hashKey([fromPuck(begun)]))
  const latest = useLatest(onChange)

  const wrong = useMemo(() => idsOfWrong(value, problems), [value, problems])
  const canvas = useMemo(() => ({ scene, wrong }), [scene, wrong])
  return (
    <CanvasScene value={canvas}>
      <PageHead value={headOf(value, title)}>
        <div className={styles.editor} dir={direction[spoken]}>
          <Puck
            config={config}
            data={begun}
            iframe={iframe}
            overrides={overrides}
            dictionary={puckWords(t)}
            metadata={{ locale }}
            onChange={(data) => {
              const blocks = fromPuck(data)
              const hash = hashKey([blocks])
              if (hash === agreed.current) return
              agreed.current = hash
              latest.current(blocks)
            }}
          >
            <VisualLayout value={value} agreed={agreed} locale={locale} problems={problems} />
          </Puck>
        </div>
      </PageHead>
    </CanvasScene>
  )
}

function headOf(value: readonly StoredBlock[], title: string): string {
  const readable = value.flatMap((block) => blockSchema.safeParse(block).data ?? [])
  return bringsHeading(readable) ? '' : title
}

/** The blocks in which something is wrong, those around them included. */
function idsOfWrong(value: readonly StoredBlock[], problems: Problems): ReadonlySet<string> {
  const paths = Object.keys(problems)
  if (paths.length === 0) return new Set()
  return new Set(
    fromPuck(toPuck(value))
      .flatMap((block) => allIds(block))
      .filter((id) => {
        const path = pathOf(fromPuck(toPuck(value)), id)
        return path !== undefined && paths.some((one) => one === path || one.startsWith(`${path}.`))
      }),
  )
}

function allIds(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'id' in value && 'type' in value ? [String(value.id)] : []
  return [...own, ...Object.values(value).flatMap(allIds)]
}
