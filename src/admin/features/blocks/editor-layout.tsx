import { useElementSize } from '@mantine/hooks'
import { createUsePuck, Puck, useGetPuck } from '@puckeditor/core'
import { hashKey } from '@tanstack/react-query'
import { Monitor, Redo2, Smartphone, Tablet, Undo2 } from 'lucide-react'
import {
  type ClipboardEvent,
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { fieldsOf } from '../../../blocks/fields.ts'
import { shownSrc } from '../../../blocks/render-image.tsx'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { IconButton } from '../../components/buttons.tsx'
import { useLatest } from '../../components/latest.ts'
import { lazyPart, openWhenLoaded, usePreload } from '../../components/lazy-part.tsx'
import { useText } from '../../i18n.ts'
import {
  blockImageShownBy,
  blockImagesOf,
  elementAt,
  hidesImage,
  imageSlotsIn,
  imagesIn,
  slotShownBy,
} from './block-images.ts'
import { LocksContext } from './block-locks.ts'
import { isKnown } from './block-names.tsx'
import { CanvasContext } from './canvas-block.tsx'
import { scrollToBlock, useCanvasEvents, useDroppedImages } from './canvas-events.ts'
import { CanvasTools, EditorFrame } from './canvas-tools.ts'
import { FieldsPanel, OutlinePanel, useFocusOnForm } from './editor-panel.tsx'
import type { ClickedImage } from './image-menu.tsx'
import { noProblems, type Problems } from './problems.ts'
import { AddFirst } from './puck-config.tsx'
import { fromPuck, idAt, toPuck } from './puck-data.ts'
import { useSelectionAfterUndo } from './select-after-undo.ts'
import { usePanels } from './side-panel.tsx'
import { richTextOnPage } from './typed-text.tsx'
import { type CanvasActions, type ChangeBlocks, useCanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

// None of them is visible when the editor opens.
const AddBlock = lazyPart(async () => (await import('./add-block.tsx')).AddBlock)
const CanvasUploads = lazyPart(async () => (await import('./canvas-uploads.tsx')).default)
const ImageMenu = lazyPart(async () => (await import('./image-menu.tsx')).default)
const usePuck = createUsePuck()

const widths = { phone: 390, tablet: 820, desktop: 1280 } as const
type Width = keyof typeof widths
const widthIcons = { phone: Smartphone, tablet: Tablet, desktop: Monitor }

/** The blocks of the form that the form and Puck last agreed on, and their hash. */
export interface Agreed {
  blocks: readonly StoredBlock[]
  hash: string
}

/** The blocks of the form, and their errors. */
export const EditedBlocks = createContext<{
  value: readonly StoredBlock[]
  problems: Problems
  historyKey: number
  change: ChangeBlocks
}>({ value: [], problems: noProblems, historyKey: 0, change() {} })

/** The outline, the page, and the selected block's form; the tools are in the bar of the screen. */
export function EditorLayout(props: {
  agreed: RefObject<Agreed>
  onUndo: RefObject<() => void>
  onRemove: RefObject<CanvasActions['notifyRemoval']>
  locale: Locale
}) {
  const { agreed, onUndo, onRemove, locale } = props
  const { value, problems, historyKey, change } = useContext(EditedBlocks)
  const t = useText()
  const { bar, closeSettings, registerSelectBlock } = useContext(EditorFrame)
  const canvas = useContext(CanvasContext)
  const [width, setWidth] = useState<Width>(() => (matchMedia('(min-width: 62em)').matches ? 'desktop' : 'phone'))
  const { ref, width: room, height } = useElementSize()
  const get = useGetPuck()
  const field = useRef<Element | null>(null)
  const { work, chosen: item, announcement } = useCanvasActions(locale, change, field)
  const chosen = item?.props.id as string | undefined
  const panels = usePanels()
  const form = useFocusOnForm(panels, chosen)
  const showFields = () => {
    panels.set('fields', true)
    closeSettings()
  }
  const selectFromOutside = useLatest((id: string) => {
    form.expect('heading')
    work.choose(id)
    form.open()
  })
  useEffect(() => {
    registerSelectBlock((id) => selectFromOutside.current(id))
    return () => registerSelectBlock(undefined)
  }, [registerSelectBlock, selectFromOutside])
  const [clicked, setClicked] = useState<ClickedImage>()
  const root = useCanvasEvents(work, (event, block) => {
    setClicked(block && !isTyping(event) ? clickedImage(event, block) : undefined)
    if (block) showFields()
  })
  useEffect(() => {
    field.current = root.current?.closest('[data-page-field]') ?? null
  }, [root])
  const dropped = useDroppedImages(root, CanvasUploads, work.choose)
  const [adding, setAdding] = useState(false)
  const [textTools, setTextTools] = useState<HTMLElement | null>(null)
  usePreload([AddBlock, ImageMenu, richTextOnPage])

  const { userLock } = useContext(LocksContext)
  const lockKey = [userLock.page, ...userLock.blocks].join(' ')
  const refreshPermissions = usePuck((puck) => puck.refreshPermissions)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another lock matters
  useEffect(() => void refreshPermissions(), [lockKey])

  // A change from outside is one undo step, or resets the history.
  const formerHistory = useRef(historyKey)
  useEffect(() => {
    const continues = historyKey === formerHistory.current
    formerHistory.current = historyKey
    if (value === agreed.current.blocks) return
    const data = toPuck(value)
    const hash = hashKey([fromPuck(data)])
    const isSame = hash === agreed.current.hash
    agreed.current = { blocks: value, hash }
    if (isSame) return
    get().dispatch({ type: 'setData', data, recordHistory: continues })
    if (continues) return
    const { history, appState } = get()
    history.setHistories([{ state: appState }])
  }, [value, historyKey, agreed, get])

  // Selects the first block with an error after a save was refused, and shows its form.
  const refused = Object.keys(problems).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another refusal matters
  useEffect(() => {
    const [first = ''] = refused.split(' ')
    const id = first && idAt(fromPuck(toPuck(value)), first)
    if (!id) return
    work.choose(id)
    showFields()
  }, [refused])

  // A block that was added, pasted or chosen in the overview may be out of view.
  useEffect(() => {
    if (!chosen) return undefined
    return scrollToBlock(() => root.current?.querySelector('iframe')?.contentDocument, chosen)
  }, [chosen, root])

  useSelectionAfterUndo(onUndo, work, root)
  useEffect(() => {
    onRemove.current = work.notifyRemoval
  }, [onRemove, work])

  // On a phone the fields open below the page, which becomes much lower.
  const formerHeight = useRef(0)
  useEffect(() => {
    const isLower = height < formerHeight.current * 0.75
    formerHeight.current = height
    if (!isLower || !chosen) return undefined
    return scrollToBlock(() => root.current?.querySelector('iframe')?.contentDocument, chosen)
  }, [height, chosen, root])

  // A large screen shows a page that is as wide as its room.
  const pageWidth = width === 'desktop' ? Math.max(widths.desktop, room) : widths[width]
  const scale = room ? Math.min(1, room / pageWidth) : 1
  const aside = Math.max(0, (room - pageWidth) / 2)
  // The menu of an image moves with it, until the image leaves the screen.
  useEffect(() => {
    const view = clicked && root.current?.querySelector('iframe')?.contentWindow
    if (!view) return undefined
    const follow = () => {
      const y = clicked.y + (clicked.scrolled - view.scrollY) * scale
      setClicked(y < 0 || y > innerHeight ? undefined : { ...clicked, y, scrolled: view.scrollY })
    }
    view.addEventListener('scroll', follow)
    return () => view.removeEventListener('scroll', follow)
  }, [clicked, root, scale])
  const imagesOf = (id: string) => {
    const item = work.blockOf(id)
    return item && isKnown(item.type) ? blockImagesOf(fieldsOf(item.type), { ...item }) : []
  }
  const clickedImage = (event: MouseEvent, block: HTMLElement): ClickedImage | undefined => {
    const id = block.dataset.puckComponent ?? ''
    const blockImages = imagesOf(id)
    const [images, slots] = [imagesIn(block), imageSlotsIn(block)]
    const image = elementAt(images, event)
    const slot = elementAt(slots, event)
    const shown = image ?? slot
    if (!shown) return undefined
    const srcOf = (url: string) => (canvas ? shownSrc(url, canvas.renderContext) : url)
    const blockImage = image
      ? blockImageShownBy(image, images, blockImages, srcOf)
      : slotShownBy(shown, slots, blockImages)
    const { left, width: wide, top, bottom } = shown.getBoundingClientRect()
    const x = aside + (left + wide / 2) * scale
    const isStyleImage = blockImage?.path.startsWith('style.') || (slot && hidesImage({ ...work.blockOf(id) }))
    if (isStyleImage && work.isLocked(id)) return undefined
    const y = Math.min(Math.max(top, (top + bottom) / 2) * scale, height - 64)
    const scrolled = block.ownerDocument.defaultView?.scrollY ?? 0
    return blockImage && { block: id, blockImage, x, y, scrolled, room }
  }
  // The block may have another image there since the click, or another description.
  const clickedNow =
    clicked &&
    imagesOf(clicked.block).find(({ path, url }) => {
      const { blockImage } = clicked
      return path === blockImage.path && url === blockImage.url
    })
  if (clicked && !clickedNow) setClicked(undefined)
  // The controls at a block keep their size when the canvas is scaled down.
  useEffect(() => {
    const page = root.current?.querySelector('iframe')?.contentDocument
    // While the canvas's frame loads, its document is empty.
    page?.documentElement?.style.setProperty('--grow', String(1 / scale))
  })
  const pastPage = () => {
    closeSettings()
    requestAnimationFrame(() => form.panel.current?.focus())
  }
  const toOutline = () =>
    root.current
      ?.querySelector<HTMLElement>(`[data-panel="outline"] :is([aria-pressed="true"], [aria-expanded])`)
      ?.focus()
  const panel = { work, chosen: item, locale, problems, panels, form, toOutline }
  // Not rendered again with each key: its blocks follow the changes by themselves.
  const preview = useMemo(
    () => (
      <AddFirst value={() => void openWhenLoaded(AddBlock, () => setAdding(true))}>
        <CanvasTools value={textTools}>
          <Puck.Preview />
        </CanvasTools>
      </AddFirst>
    ),
    [textTools],
  )
  return (
    <div
      ref={root as RefObject<HTMLDivElement | null>}
      className={styles.layout}
      onCopy={here(work.onCopy)}
      onPaste={here(work.onPaste)}
    >
      {bar && createPortal(<Tools width={width} setWidth={setWidth} />, bar)}
      <OutlinePanel {...panel} />
      <section className={styles.canvas} ref={ref} aria-label={t('blocks.visual.label')}>
        <button type="button" className={styles.pass} onClick={pastPage}>
          {t('blocks.visual.pass')}
        </button>
        <div
          className={styles.page}
          style={{
            inlineSize: pageWidth,
            blockSize: height / scale,
            transform: `scale(${scale})`,
            marginInlineStart: aside,
          }}
        >
          {preview}
        </div>
        {clicked && clickedNow && (
          <ImageMenu
            key={clicked.block + clicked.blockImage.path}
            clicked={{ ...clicked, blockImage: clickedNow }}
            work={work}
            locale={locale}
            onClose={() => {
              setClicked(undefined)
              // The button that opened the dialog has gone with it.
              requestAnimationFrame(() => {
                const frame = root.current?.querySelector('iframe')
                frame?.focus()
                scrollToBlock(() => frame?.contentDocument, clicked.block)
              })
            }}
          />
        )}
      </section>
      <div className={styles.textTools} ref={setTextTools} />
      <FieldsPanel {...panel} />
      {dropped.length > 0 && <CanvasUploads dropped={dropped} work={work} />}
      {adding && (
        <AddBlock
          saved={{ locale, onBlocks: work.insert }}
          onClose={() => setAdding(false)}
          onChoose={(type) => {
            form.expect('field')
            setAdding(false)
            work.add(type)
          }}
        />
      )}
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </div>
  )
}

/** Undo and redo, and the width in which the page is shown. */
function Tools({ width, setWidth }: { width: Width; setWidth: (width: Width) => void }) {
  const t = useText()
  const history = usePuck((puck) => puck.history)
  const steps = [
    { name: 'undo', icon: Undo2, possible: history.hasPast, run: history.back },
    { name: 'redo', icon: Redo2, possible: history.hasFuture, run: history.forward },
  ] as const
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('blocks.visual.tools')}>
      {steps.map(({ name, icon: Icon, possible, run }) => (
        <IconButton
          key={name}
          label={t(`blocks.text.${name}`)}
          icon={<Icon className="flip-in-rtl" />}
          // Not disabled, which would take the focus away after the last step.
          aria-disabled={!possible}
          data-disabled={!possible || undefined}
          onClick={run}
        />
      ))}
      <div className={styles.widths}>
        {(Object.keys(widths) as Width[]).map((one) => {
          const Icon = widthIcons[one]
          return (
            <IconButton
              key={one}
              label={t(`blocks.visual.${one}`)}
              icon={<Icon />}
              aria-pressed={one === width}
              onClick={() => setWidth(one)}
            />
          )
        })}
      </div>
    </div>
  )
}

/** A click in a text is for its caret, also where an image is behind it. */
const isTyping = ({ target }: MouseEvent) => (target as Element).closest('[data-typed]') !== null

/** React also passes some of the canvas's events to this handler; those are handled in the canvas. */
const here = (handle: (event: ClipboardEvent) => void) => (event: ClipboardEvent) => {
  if ((event.target as Element).ownerDocument === document) handle(event)
}
