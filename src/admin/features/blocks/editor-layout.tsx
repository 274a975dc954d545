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
import { renderedSrc } from '../../../blocks/render-image.tsx'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { IconButton } from '../../components/buttons.tsx'
import { useLatest } from '../../components/latest.ts'
import { lazyPart, openWhenLoaded, usePreload } from '../../components/lazy-part.tsx'
import { useText } from '../../i18n.ts'
import {
  type BlockImage,
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
import { EditorFrameContext, TextToolsContext } from './canvas-tools.ts'
import { FieldsPanel, OutlinePanel, useFocusOnForm } from './editor-panel.tsx'
import type { ClickedImage } from './image-menu.tsx'
import { noProblems, type Problems } from './problems.ts'
import { AddFirstBlockContext } from './puck-config.tsx'
import { fromPuck, puckIdAt, toPuck } from './puck-data.ts'
import { useSelectionAfterUndo } from './select-after-undo.ts'
import { usePanels } from './side-panel.tsx'
import { richTextOnPage } from './typed-text.tsx'
import { type CanvasActions, type ChangeBlocks, useCanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

// Lazy, because none of them is visible when the editor opens.
const AddBlock = lazyPart(async () => (await import('./add-block.tsx')).AddBlock)
const CanvasUploads = lazyPart(async () => (await import('./canvas-uploads.tsx')).default)
const ImageMenu = lazyPart(async () => (await import('./image-menu.tsx')).default)
const usePuck = createUsePuck()

const widths = { phone: 390, tablet: 820, desktop: 1280 } as const
type Width = keyof typeof widths
/** How far the middle of the menu of an image stays above the bottom of the canvas. */
const menuMarginPx = 64
const widthIcons = { phone: Smartphone, tablet: Tablet, desktop: Monitor }

/** The blocks that were last the same in the form and in Puck. `hash` is the query hash of the blocks. */
export interface SyncedBlocks {
  blocks: readonly StoredBlock[]
  hash: string
}

/** The blocks of the form, and their errors. */
export const EditedBlocksContext = createContext<{
  value: readonly StoredBlock[]
  problems: Problems
  /** Those of a refused save only. */
  saveProblems: Problems
  /** Other blocks that come with another number start a new undo history. */
  historyKey: number
  change: ChangeBlocks
}>({ value: [], problems: noProblems, saveProblems: noProblems, historyKey: 0, change() {} })

/** The outline, the page, and the selected block's form. Sets the refs to functions to call just before undo and removal. */
export function EditorLayout(props: {
  synced: RefObject<SyncedBlocks>
  onUndo: RefObject<() => void>
  onRemove: RefObject<CanvasActions['notifyRemoval']>
  locale: Locale
}) {
  const { synced, onUndo, onRemove, locale } = props
  const { problems, change } = useContext(EditedBlocksContext)
  const t = useText()
  const { bar, closeSettings, registerSelectBlock } = useContext(EditorFrameContext)
  const [width, setWidth] = useState<Width>(() => (matchMedia('(min-width: 62em)').matches ? 'desktop' : 'phone'))
  const { ref: canvasRef, width: canvasWidth, height: canvasHeight } = useElementSize()
  const pageField = useRef<Element | null>(null)
  const { actions, selectedItem, announcement } = useCanvasActions(locale, change, pageField)
  const selectedId = selectedItem?.props.id as string | undefined
  const panels = usePanels()
  const formFocus = useFocusOnForm(panels, selectedId)
  const showFields = () => {
    panels.set('fields', true)
    closeSettings()
  }
  const selectFromOutside = useLatest((id: string) => {
    formFocus.expect('heading')
    actions.select(id)
    formFocus.open()
  })
  useEffect(() => {
    registerSelectBlock((id) => selectFromOutside.current(id))
    return () => registerSelectBlock(undefined)
  }, [registerSelectBlock, selectFromOutside])
  const root = useRef<HTMLDivElement>(null)
  useCanvasEvents(root, actions, (event, block) => {
    imageMenu.onCanvasClick(event, block)
    if (block) showFields()
  })
  useEffect(() => {
    pageField.current = root.current?.closest('[data-page-field]') ?? null
  }, [])
  const dropped = useDroppedImages(root, CanvasUploads, actions.select)
  const [adding, setAdding] = useState(false)
  const [textTools, setTextTools] = useState<HTMLElement | null>(null)
  usePreload([AddBlock, ImageMenu, richTextOnPage])

  useLockPermissions()
  useExternalChanges(synced)
  useSelectionOfRefusedBlock((id) => {
    actions.select(id)
    showFields()
  })
  // A block that was added, pasted or selected in the overview may be out of view.
  useEffect(() => (selectedId ? scrollToBlock(() => canvasDocumentIn(root), selectedId) : undefined), [selectedId])
  useSelectionAfterUndo(onUndo, actions, root)
  useEffect(() => {
    onRemove.current = actions.notifyRemoval
  }, [onRemove, actions])
  useScrollWhenLower(canvasHeight, selectedId, root)

  // A canvas that is wider than the desktop width shows a page of its own width.
  const pageWidth = width === 'desktop' ? Math.max(widths.desktop, canvasWidth) : widths[width]
  const scale = canvasWidth ? Math.min(1, canvasWidth / pageWidth) : 1
  const pageMargin = Math.max(0, (canvasWidth - pageWidth) / 2)
  const imageMenu = useImageMenu(root, actions, selectedId, { scale, pageMargin, canvasWidth, canvasHeight })
  // `--grow` keeps the size of the controls at a block when the canvas is scaled down.
  useEffect(() => {
    // While the canvas's frame loads, its document is empty.
    canvasDocumentIn(root)?.documentElement?.style.setProperty('--grow', String(1 / scale))
  })
  const skipPage = () => {
    closeSettings()
    requestAnimationFrame(() => formFocus.panel.current?.focus())
  }
  const focusOutline = () =>
    root.current
      ?.querySelector<HTMLElement>(`[data-panel="outline"] :is([aria-pressed="true"], [aria-expanded])`)
      ?.focus()
  const panelProps = { actions, selectedItem, locale, problems, panels, formFocus, focusOutline }
  // Memoised, so that a keystroke does not render the whole page: its blocks follow the changes by themselves.
  const preview = useMemo(
    () => (
      <AddFirstBlockContext value={() => void openWhenLoaded(AddBlock, () => setAdding(true))}>
        <TextToolsContext value={textTools}>
          <Puck.Preview />
        </TextToolsContext>
      </AddFirstBlockContext>
    ),
    [textTools],
  )
  return (
    <div
      ref={root}
      className={styles.layout}
      onCopy={outsideCanvas(actions.onCopy)}
      onPaste={outsideCanvas(actions.onPaste)}
    >
      {bar && createPortal(<Tools width={width} setWidth={setWidth} />, bar)}
      <OutlinePanel {...panelProps} />
      <section className={styles.canvas} ref={canvasRef} aria-label={t('blocks.visual.label')}>
        <button type="button" className={styles.pass} onClick={skipPage}>
          {t('blocks.visual.pass')}
        </button>
        <div
          className={styles.page}
          style={{
            inlineSize: pageWidth,
            blockSize: canvasHeight / scale,
            transform: `scale(${scale})`,
            marginInlineStart: pageMargin,
          }}
        >
          {preview}
        </div>
        {imageMenu.clicked && (
          <ImageMenu
            key={imageMenu.clicked.blockId + imageMenu.clicked.blockImage.path}
            clicked={imageMenu.clicked}
            actions={actions}
            locale={locale}
            onClose={imageMenu.close}
          />
        )}
      </section>
      <div className={styles.textTools} ref={setTextTools} />
      <FieldsPanel {...panelProps} />
      {dropped.length > 0 && <CanvasUploads dropped={dropped} actions={actions} />}
      {adding && (
        <AddBlock
          saved={{ locale, onInsert: actions.insert }}
          onClose={() => setAdding(false)}
          onChoose={(type) => {
            formFocus.expect('field')
            setAdding(false)
            actions.add(type)
          }}
        />
      )}
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </div>
  )
}

type RootRef = RefObject<HTMLElement | null>

const canvasFrameIn = (root: RootRef) => root.current?.querySelector('iframe')
const canvasDocumentIn = (root: RootRef) => canvasFrameIn(root)?.contentDocument

/** Makes Puck read its permissions again when the user's locks change. */
function useLockPermissions(): void {
  const { userLock } = useContext(LocksContext)
  const lockKey = [userLock.page, ...userLock.blocks].join(' ')
  const refreshPermissions = usePuck((puck) => puck.refreshPermissions)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another lock matters
  useEffect(() => void refreshPermissions(), [lockKey])
}

/** Passes a change of the form's blocks from outside Puck on to it, as one undo step or with a new history. */
function useExternalChanges(synced: RefObject<SyncedBlocks>): void {
  const { value, historyKey } = useContext(EditedBlocksContext)
  const getPuck = useGetPuck()
  const previousHistoryKey = useRef(historyKey)
  useEffect(() => {
    const recordHistory = historyKey === previousHistoryKey.current
    previousHistoryKey.current = historyKey
    if (value === synced.current.blocks) return
    const data = toPuck(value)
    const hash = hashKey([fromPuck(data)])
    const isSame = hash === synced.current.hash
    synced.current = { blocks: value, hash }
    if (isSame) return
    getPuck().dispatch({ type: 'setData', data, recordHistory })
    if (recordHistory) return
    const { history, appState } = getPuck()
    history.setHistories([{ state: appState }])
  }, [value, historyKey, synced, getPuck])
}

/** After a refused save, calls `select` with the id of the first block that has an error. */
function useSelectionOfRefusedBlock(select: (id: string) => void): void {
  const { saveProblems } = useContext(EditedBlocksContext)
  const getPuck = useGetPuck()
  const problemPaths = Object.keys(saveProblems).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other errors matter
  useEffect(() => {
    const [firstPath = ''] = problemPaths.split(' ')
    const id = puckIdAt(getPuck().appState.data, firstPath)
    if (id) select(id)
  }, [problemPaths])
}

/** Scrolls to the selected block when the canvas becomes much lower: on a phone the fields open below the page. */
function useScrollWhenLower(canvasHeight: number, selectedId: string | undefined, root: RootRef): void {
  const previousHeight = useRef(0)
  useEffect(() => {
    const isMuchLower = canvasHeight < previousHeight.current * 0.75
    previousHeight.current = canvasHeight
    if (!isMuchLower || !selectedId) return undefined
    return scrollToBlock(() => canvasDocumentIn(root), selectedId)
  }, [canvasHeight, selectedId, root])
}

/** The menu of an image that was clicked; it moves with the image. `clicked` is undefined while the menu is closed. */
function useImageMenu(
  root: RootRef,
  actions: CanvasActions,
  selectedId: string | undefined,
  layout: { scale: number; pageMargin: number; canvasWidth: number; canvasHeight: number },
) {
  const { scale, pageMargin, canvasWidth, canvasHeight } = layout
  const canvas = useContext(CanvasContext)
  const [clicked, setClicked] = useState<ClickedImage>()
  useEffect(() => {
    const view = clicked && canvasFrameIn(root)?.contentWindow
    if (!view) return undefined
    const followScroll = () => {
      const y = clicked.y + (clicked.scrollY - view.scrollY) * scale
      setClicked(y < 0 || y > innerHeight ? undefined : { ...clicked, y, scrollY: view.scrollY })
    }
    view.addEventListener('scroll', followScroll)
    return () => view.removeEventListener('scroll', followScroll)
  }, [clicked, root, scale])
  // Not while rendering: a click on the image of another block opens the menu before it selects that block.
  useEffect(() => setClicked((current) => (current?.blockId === selectedId ? current : undefined)), [selectedId])
  const imagesOf = (id: string) => {
    const block = actions.blockOf(id)
    return block && isKnown(block.type) ? blockImagesOf(fieldsOf(block.type), { ...block }) : []
  }
  const clickedImage = (event: MouseEvent, block: HTMLElement): ClickedImage | undefined => {
    const blockId = block.dataset.puckComponent ?? ''
    const blockImages = imagesOf(blockId)
    const [images, slots] = [imagesIn(block), imageSlotsIn(block)]
    const image = elementAt(images, event)
    const slot = elementAt(slots, event)
    const element = image ?? slot
    if (!element) return undefined
    const srcOf = (url: string) => (canvas ? renderedSrc(url, canvas.renderContext) : url)
    const blockImage = image
      ? blockImageShownBy(image, images, blockImages, srcOf)
      : slotShownBy(element, slots, blockImages)
    // A lock forbids to change the image of the style, or the choice to show no image.
    const isStyleImage = blockImage?.path.startsWith('style.') || (slot && hidesImage({ ...actions.blockOf(blockId) }))
    if (isStyleImage && actions.isLocked(blockId)) return undefined
    const { left, width, top, bottom } = element.getBoundingClientRect()
    const x = pageMargin + (left + width / 2) * scale
    const y = Math.min(((top + bottom) / 2) * scale, canvasHeight - menuMarginPx)
    const scrollY = block.ownerDocument.defaultView?.scrollY ?? 0
    return blockImage && { blockId, blockImage, x, y, scrollY, canvasWidth }
  }
  // Since the click the block may have got another image there, or the image another description.
  const isClicked = ({ path, url }: BlockImage) => path === clicked?.blockImage.path && url === clicked?.blockImage.url
  const currentImage = clicked && imagesOf(clicked.blockId).find(isClicked)
  if (clicked && !currentImage) setClicked(undefined)
  return {
    clicked: clicked && currentImage && { ...clicked, blockImage: currentImage },
    onCanvasClick: (event: MouseEvent, block: HTMLElement | null) =>
      setClicked(block && !isTyping(event) ? clickedImage(event, block) : undefined),
    close() {
      setClicked(undefined)
      // The button that opened the dialog has gone with it.
      requestAnimationFrame(() => {
        const frame = canvasFrameIn(root)
        frame?.focus()
        if (clicked) scrollToBlock(() => frame?.contentDocument, clicked.blockId)
      })
    },
  }
}

/** The buttons for undo and redo, and for the width in which the page is shown. */
function Tools({ width, setWidth }: { width: Width; setWidth: (width: Width) => void }) {
  const t = useText()
  const history = usePuck((puck) => puck.history)
  const steps = [
    { name: 'undo', icon: Undo2, isPossible: history.hasPast, run: history.back },
    { name: 'redo', icon: Redo2, isPossible: history.hasFuture, run: history.forward },
  ] as const
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('blocks.visual.tools')}>
      {steps.map(({ name, icon: Icon, isPossible, run }) => (
        <IconButton
          key={name}
          label={t(`blocks.text.${name}`)}
          icon={<Icon className="flip-in-rtl" />}
          disabled={!isPossible}
          onClick={run}
        />
      ))}
      <div className={styles.widths}>
        {(Object.keys(widths) as Width[]).map((option) => {
          const Icon = widthIcons[option]
          return (
            <IconButton
              key={option}
              label={t(`blocks.visual.${option}`)}
              icon={<Icon />}
              aria-pressed={option === width}
              onClick={() => setWidth(option)}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Whether a click only sets the caret in a text, also where an image is behind the text. */
const isTyping = ({ target }: MouseEvent) => (target as Element).closest('[data-typed]') !== null

/** Ignores events of the canvas, some of which React passes on too: `useCanvasEvents` handles those. */
const outsideCanvas = (handle: (event: ClipboardEvent) => void) => (event: ClipboardEvent) => {
  if ((event.target as Element).ownerDocument === document) handle(event)
}
