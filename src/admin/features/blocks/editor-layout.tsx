import { ActionIcon } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { createUsePuck, Puck } from '@puckeditor/core'
import { hashKey } from '@tanstack/react-query'
import { Maximize2, Minimize2, Monitor, Redo2, Smartphone, Tablet, Undo2 } from 'lucide-react'
import { type ClipboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { lazyPart, openWhenLoaded, usePreload } from '../../components/lazy-part.tsx'
import { useText } from '../../i18n.ts'
import { scrollToBlock, useCanvasEvents, useDroppedImages } from './canvas-events.ts'
import { CanvasTools } from './canvas-tools.ts'
import { EditorPanel, type FocusTarget } from './editor-panel.tsx'
import type { Problems } from './problems.ts'
import { AddFirst } from './puck-config.tsx'
import { fromPuck, idAt, toPuck } from './puck-data.ts'
import { richTextOnPage } from './typed-text.tsx'
import { useCanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

// Neither is visible when the editor opens.
const AddBlock = lazyPart(async () => (await import('./add-block.tsx')).AddBlock)
const CanvasUploads = lazyPart(async () => (await import('./canvas-uploads.tsx')).default)
const usePuck = createUsePuck()

const widths = { phone: 390, tablet: 820, desktop: 1280 } as const
type Width = keyof typeof widths
const widthIcons = { phone: Smartphone, tablet: Tablet, desktop: Monitor }

/** The canvas, the toolbar above it, and the panel beside it. */
export function EditorLayout(props: {
  value: readonly StoredBlock[]
  /** A hash of the value that the form and Puck last agreed on. */
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
  const work = useCanvasActions(locale)
  const [clicks, setClicks] = useState(0)
  const root = useCanvasEvents(work, () => setClicks((count) => count + 1))
  const dropped = useDroppedImages(root)
  const [adding, setAdding] = useState(false)
  const [textTools, setTextTools] = useState<HTMLElement | null>(null)
  usePreload([AddBlock, richTextOnPage])
  const arriving = useRef<FocusTarget>(undefined)
  const chosen = work.chosen?.props.id as string | undefined

  // A change from outside is one undo step.
  useEffect(() => {
    const data = toPuck(value)
    const hash = hashKey([fromPuck(data)])
    if (hash === agreed.current) return
    agreed.current = hash
    dispatch({ type: 'setData', data, recordHistory: true })
  }, [value, agreed, dispatch])

  // Selects the first block with an error after a save was refused.
  const refused = Object.keys(problems).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another refusal matters
  useEffect(() => {
    const [first = ''] = refused.split(' ')
    const id = first && idAt(fromPuck(toPuck(value)), first)
    if (id) work.choose(id)
  }, [refused])

  // A block that was added, pasted or chosen in the overview may be out of view.
  useEffect(() => {
    if (!chosen) return undefined
    return scrollToBlock(() => root.current?.querySelector('iframe')?.contentDocument, chosen)
  }, [chosen, root])

  const scale = room ? Math.min(1, room / widths[width]) : 1
  // The controls at a block keep their size when the canvas is scaled down.
  useEffect(() => {
    const page = root.current?.querySelector('iframe')?.contentDocument
    // While the canvas's frame loads, its document is empty.
    page?.documentElement?.style.setProperty('--grow', String(1 / scale))
  })
  return (
    <section
      ref={root}
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
          <AddFirst value={() => void openWhenLoaded(AddBlock, () => setAdding(true))}>
            <CanvasTools value={textTools}>
              <Puck.Preview />
            </CanvasTools>
          </AddFirst>
        </div>
      </div>
      <div className={styles.textTools} ref={setTextTools} />
      <EditorPanel work={work} locale={locale} problems={problems} arriving={arriving} clicks={clicks} />
      {dropped.length > 0 && <CanvasUploads dropped={dropped} work={work} />}
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
        {work.announcement}
      </p>
    </section>
  )
}

/** React also passes some of the canvas's events to this handler; those are handled in the canvas. */
const here = (handle: (event: ClipboardEvent) => void) => (event: ClipboardEvent) => {
  if ((event.target as Element).ownerDocument === document) handle(event)
}
