import { ActionIcon } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { createUsePuck, Puck } from '@puckeditor/core'
import { hashKey } from '@tanstack/react-query'
import { Maximize2, Minimize2, Monitor, Redo2, Smartphone, Tablet, Undo2 } from 'lucide-react'
import { type ClipboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { later, openWhenHere, useSoon } from '../../components/later.tsx'
import { useText } from '../../i18n.ts'
import { AddFirst } from './empty-canvas.tsx'
import type { Problems } from './problems.ts'
import { fromPuck, idAt, toPuck } from './puck-data.ts'
import { scrollToBlock } from './scroll-to-block.ts'
import { useCanvasKeys } from './use-canvas-keys.ts'
import { useCanvasWork } from './use-canvas-work.ts'
import { useFallenPictures } from './use-fallen-pictures.ts'
import styles from './visual-editor.module.css'
import { type Arriving, VisualPanel } from './visual-panel.tsx'

// Neither is seen when the editor opens.
const AddBlock = later(async () => (await import('./add-block.tsx')).AddBlock)
const CanvasUploads = later(async () => (await import('./canvas-uploads.tsx')).default)
const usePuck = createUsePuck()

const widths = { phone: 390, tablet: 820, desktop: 1280 } as const
type Width = keyof typeof widths
const widthIcons = { phone: Smartphone, tablet: Tablet, desktop: Monitor }

/** The canvas, what stands above it, and the panel beside it. */
export function VisualLayout(props: {
  value: readonly StoredBlock[]
  /** What both sides agree on, as a hash. */
  agreed: RefObject<string>
  locale: Locale
  problems: Problems
}) {
  const { value, agreed, locale, problems } = props
  const t = useText()
  const [width, setWidth] = useState<Width>('desktop')
  const [whole, setWhole] = useState(false)
  const { ref, width: room, height } = useElementSize()
  const dispatch = usePuck((puck) => puck.dispatch)
  const history = usePuck((puck) => puck.history)
  const work = useCanvasWork(locale)
  const place = useCanvasKeys(work)
  const fallen = useFallenPictures(place)
  const [adding, setAdding] = useState(false)
  useSoon([AddBlock])
  const arriving = useRef<Arriving>(undefined)
  const chosen = work.chosen?.props.id as string | undefined

  // What comes from outside is one more step that can be undone.
  useEffect(() => {
    const data = toPuck(value)
    const hash = hashKey([fromPuck(data)])
    if (hash === agreed.current) return
    agreed.current = hash
    dispatch({ type: 'setData', data, recordHistory: true })
  }, [value, agreed, dispatch])

  // What was refused is opened, so that nobody has to look for it.
  const refused = Object.keys(problems).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another refusal matters
  useEffect(() => {
    const [first = ''] = refused.split(' ')
    const id = first && idAt(fromPuck(toPuck(value)), first)
    if (id) work.choose(id)
  }, [refused])

  // What was added, pasted or chosen in the overview may stand far below.
  useEffect(() => {
    if (!chosen) return undefined
    return scrollToBlock(() => place.current?.querySelector('iframe')?.contentDocument, chosen)
  }, [chosen, place])

  const scale = room ? Math.min(1, room / widths[width]) : 1
  // What stands at a block to be pointed at is as large on a small picture of the page.
  useEffect(() => {
    const page = place.current?.querySelector('iframe')?.contentDocument
    // While the window of the canvas is being made it has nothing in it.
    page?.documentElement?.style.setProperty('--grow', String(1 / scale))
  })
  return (
    <section
      ref={place}
      className={styles.layout}
      data-whole={whole || undefined}
      aria-label={t('blocks.visual.label')}
      onCopy={here(work.onCopy)}
      onPaste={here(work.onPaste)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && whole) setWhole(false)
      }}
    >
      <div className={styles.tools} role="toolbar" aria-label={t('blocks.visual.tools')}>
        <ActionIcon aria-label={t('blocks.text.undo')} disabled={!history.hasPast} onClick={history.back}>
          <Undo2 size={20} aria-hidden className={styles.turns} />
        </ActionIcon>
        <ActionIcon aria-label={t('blocks.text.redo')} disabled={!history.hasFuture} onClick={history.forward}>
          <Redo2 size={20} aria-hidden className={styles.turns} />
        </ActionIcon>
        <div className={styles.widths}>
          {(Object.keys(widths) as Width[]).map((one) => {
            const Icon = widthIcons[one]
            return (
              <ActionIcon
                key={one}
                aria-label={t(`blocks.visual.${one}`)}
                aria-pressed={one === width}
                onClick={() => setWidth(one)}
              >
                <Icon size={20} aria-hidden />
              </ActionIcon>
            )
          })}
        </div>
        <ActionIcon
          aria-label={t(whole ? 'blocks.visual.part' : 'blocks.visual.whole')}
          onClick={() => setWhole(!whole)}
        >
          {whole ? <Minimize2 size={20} aria-hidden /> : <Maximize2 size={20} aria-hidden />}
        </ActionIcon>
      </div>
      <div className={styles.canvas} ref={ref}>
        <div
          className={styles.page}
          style={{
            inlineSize: widths[width],
            blockSize: height / scale,
            transform: `scale(${scale})`,
            marginInlineStart: Math.max(0, (room - widths[width]) / 2),
          }}
        >
          <AddFirst value={() => void openWhenHere(AddBlock, () => setAdding(true))}>
            <Puck.Preview />
          </AddFirst>
        </div>
      </div>
      <VisualPanel work={work} locale={locale} problems={problems} arriving={arriving} />
      {fallen.length > 0 && <CanvasUploads fallen={fallen} work={work} />}
      {adding && (
        <AddBlock
          onClose={() => setAdding(false)}
          onChoose={(type) => {
            arriving.current = 'field'
            setAdding(false)
            work.add(type)
          }}
        />
      )}
      <p role="status" className="unseen">
        {work.said}
      </p>
    </section>
  )
}

/** React also tells what happens in the canvas, but not all of it: what comes from there is heard there. */
const here = (handle: (event: ClipboardEvent) => void) => (event: ClipboardEvent) => {
  if ((event.target as Element).ownerDocument === document) handle(event)
}
