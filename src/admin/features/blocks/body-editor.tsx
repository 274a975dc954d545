import { hashKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useContext, useMemo, useRef, useState } from 'react'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import { ErrorState, InlineError, Loading } from '../../components/states.tsx'
import { meQuery } from '../sign-in/me.ts'
import { previewDataQuery, renderContextOf, siteTextsQuery } from './preview-data.ts'
import { hasProblem, type Problems } from './problems.ts'
import './visual-editor.css'
import { Accessibility, defaultPreset } from '@dnd-kit/dom'
import { Puck } from '@puckeditor/core'
import { hasMainHeading } from '../../../blocks/block-contents.ts'
import type { RenderContext } from '../../../blocks/define-block.ts'
import type { AnyBlock } from '../../../blocks/registry.ts'
import { withSections } from '../../../blocks/section.tsx'
import { directionOf, type Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLatest } from '../../components/latest.ts'
import { currentLocale, translate, useLocale, useText } from '../../i18n.ts'
import { isLockedWithColumns, LocksContext } from './block-locks.ts'
import { blockName, isKnown } from './block-names.tsx'
import { CanvasContext, CanvasFrame } from './canvas-block.tsx'
import { EditorFrameContext } from './canvas-tools.ts'
import { EditedBlocksContext, EditorLayout, type SyncedBlocks } from './editor-layout.tsx'
import { lockedPermissions, PageTitleContext, puckConfig, puckDictionary } from './puck-config.tsx'
import { fromPuck, pathOf, storedId, toPuck, withCanvasIds } from './puck-data.ts'
import { renderableBlock } from './renderable-block.ts'
import type { BlockPosition, ChangeBlocks } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

/** The visual editor of a page's blocks, with the data that it needs. */
export function BodyEditor(props: BodyEditorProps) {
  const { value, locale, path } = props
  const { data: me } = useQuery(meQuery)
  const { data, error, refetch, isPlaceholderData } = useQuery(previewDataQuery(value, locale))
  // After a failed request the query has no data, and without data the canvas would unmount and lose its undo history.
  const [lastData, setLastData] = useState(data)
  if (data && data !== lastData) setLastData(data)
  const previewData = data ?? lastData
  const { data: siteTexts, error: textsError, refetch: refetchTexts } = useQuery(siteTextsQuery(locale))
  const t = useText()
  // A string, because a new array in each render would defeat the memo.
  const pendingIds = isPlaceholderData || !data ? publicFileIdsIn(JSON.stringify(value)).join() : ''
  // The same object for each keystroke, so that only the changed block is rendered again.
  const renderContext = useMemo(() => {
    if (!previewData || !siteTexts || !me) return undefined
    const pendingImages = pendingIds ? pendingIds.split(',') : []
    return renderContextOf(previewData, { locale, path, t: siteTexts, viewer: me, pendingImages })
  }, [previewData, locale, path, siteTexts, me, pendingIds])
  if (error && !previewData) return <ErrorState error={error} retry={() => void refetch()} />
  if (textsError && !siteTexts) return <ErrorState error={textsError} retry={() => void refetchTexts()} />
  if (!renderContext) return <Loading />
  return (
    <VisualEditor key={locale} {...props} renderContext={renderContext}>
      {error && !data && <InlineError text={t('blocks.visual.notUpdated')} retry={() => void refetch()} />}
    </VisualEditor>
  )
}

const iframe = { enabled: true, syncHostStyles: false, waitForStyles: false }
const overrides = { iframe: CanvasFrame }
const unlockedPermissions = {}

interface BodyEditorProps {
  /** As stored: `{ type, id?, … }`. */
  value: readonly StoredBlock[]
  onChange: ChangeBlocks
  /** The locale of the content, not of the user. */
  locale: Locale
  /** By path in `value`: `3.items.0.title`. */
  problems: Problems
  /** Those of `problems` that the last save gave. */
  saveProblems: Problems
  /** Another key resets the undo history to the blocks that come with it. */
  historyKey: number
  /** The page's path without its language: `/diensten`. */
  path: string
  /** Rendered above the blocks when none of them has a heading. */
  title: string
}

/** Puck, the library of the visual editor, with our blocks, our forms and the site's styles. */
function VisualEditor(
  props: BodyEditorProps & {
    renderContext: RenderContext
    /** Below the canvas. */
    children: ReactNode
  },
) {
  const { value, onChange, locale, problems, saveProblems, historyKey, title, renderContext, children } = props
  const t = useText()
  const uiLocale = useLocale()
  const locks = useContext(LocksContext)
  const isLocked = useLatest((id: string) => isLockedWithColumns(locks, storedId(id), value))
  const config = useMemo(
    () => puckConfig({ content: locale, ui: uiLocale }, (id) => isLocked.current(id)),
    [locale, uiLocale, isLocked],
  )
  const [initialData] = useState(() => {
    translateDragAnnouncements()
    return toPuck(value)
  })
  const synced = useRef<SyncedBlocks>({ blocks: value, hash: hashKey([fromPuck(initialData)]) })
  const onUndo = useRef(() => {})
  const onRemove = useRef((_position: BlockPosition) => {})
  const latestOnChange = useLatest(onChange)
  const { closeSettings } = useContext(EditorFrameContext)
  const { userLock } = locks

  // Puck renders all blocks again when a prop is another object, so the props stay the same objects while somebody types.
  const puck = useMemo(
    () => (
      <Puck
        config={config}
        data={initialData}
        iframe={iframe}
        overrides={overrides}
        dictionary={puckDictionary(t)}
        metadata={{ locale }}
        permissions={userLock.page ? lockedPermissions : unlockedPermissions}
        onAction={(action) => {
          // The settings may cover the fields of the new block.
          if (action.type === 'insert') closeSettings()
          // Only the history replaces the whole state: undo, redo and a reset.
          if (action.type === 'set') onUndo.current()
          // By our actions, or by keys and buttons of Puck.
          if (action.type === 'remove') onRemove.current(action)
        }}
        onChange={(data) => {
          const blocks = fromPuck(data)
          const hash = hashKey([blocks])
          if (hash === synced.current.hash) return
          synced.current = { blocks, hash }
          latestOnChange.current(() => blocks)
        }}
      >
        <EditorLayout synced={synced} onUndo={onUndo} onRemove={onRemove} locale={locale} />
      </Puck>
    ),
    [config, initialData, t, locale, userLock.page, closeSettings, latestOnChange],
  )
  // A string, so that the context changes only when the ids do.
  const invalidIds = useMemo(() => idsWithProblems(value, problems).join(' '), [value, problems])
  const canvas = useMemo(
    () => ({ renderContext, invalidIds: new Set(invalidIds.split(' ')) }),
    [renderContext, invalidIds],
  )
  const [change] = useState((): ChangeBlocks => (update) => latestOnChange.current(update))
  const editedBlocks = useMemo(
    () => ({ value, problems, saveProblems, historyKey, change }),
    [value, problems, saveProblems, historyKey, change],
  )
  return (
    <CanvasContext value={canvas}>
      <PageTitleContext value={canvasTitle(value, title, renderContext)}>
        <div className={styles.editor} dir={directionOf(uiLocale)}>
          <EditedBlocksContext value={editedBlocks}>{puck}</EditedBlocksContext>
          {children}
        </div>
      </PageTitleContext>
    </CanvasContext>
  )
}

/** The title to render above the blocks; empty when one of them has a heading. */
function canvasTitle(value: readonly StoredBlock[], title: string, { sections, locale }: RenderContext): string {
  const shownBlocks = value.flatMap((block) => parseBlock(block, locale) ?? [])
  return hasMainHeading(withSections(shownBlocks, sections ?? new Map())) ? '' : title
}

const parsedBlocks = new WeakMap<StoredBlock, AnyBlock | undefined>()

/** A block as the canvas shows it. Cached per object, because a keystroke changes only one block of the page. */
function parseBlock(block: StoredBlock, locale: Locale): AnyBlock | undefined {
  if (!parsedBlocks.has(block)) {
    const parsed = isKnown(block.type) ? renderableBlock(block.type, { ...block }, { locale }) : undefined
    parsedBlocks.set(block, parsed?.block)
  }
  return parsedBlocks.get(block)
}

/** The ids of blocks with errors, and of the columns around those blocks. */
function idsWithProblems(value: readonly StoredBlock[], problems: Problems): string[] {
  if (Object.keys(problems).length === 0) return []
  const blocks = withCanvasIds(value)
  return blocks.flatMap(allIds).filter((id) => {
    const path = pathOf(blocks, id)
    return path !== undefined && hasProblem(problems, path)
  })
}

/** The ids of all blocks in a value, at any depth. */
function allIds(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const ownIds = 'id' in value && 'type' in value ? [String(value.id)] : []
  return [...ownIds, ...Object.values(value).flatMap(allIds)]
}

/** What the announcements need of dnd-kit's drag events. */
interface Drag {
  operation: { source: { data?: { componentType?: unknown } } | null; target: unknown }
  canceled?: boolean
}

const draggedName = ({ source }: Drag['operation']) =>
  blockName(String(source?.data?.componentType ?? ''), currentLocale())

/**
 * Translates the screen reader announcements of dragging. Puck uses the default plugins of dnd-kit and has no option
 * for their texts, which are English and name blocks by id.
 */
function translateDragAnnouncements(): void {
  const translated = Accessibility.configure({
    announcements: {
      dragstart: ({ operation }: Drag) => translate('blocks.visual.drag.start', { name: draggedName(operation) }),
      dragend: ({ operation, canceled }: Drag) =>
        translate(canceled || !operation.target ? 'blocks.visual.drag.cancelled' : 'blocks.visual.drag.dropped', {
          name: draggedName(operation),
        }),
    },
    screenReaderInstructions: { draggable: translate('blocks.visual.drag.help') },
  })
  // A configured plugin is a descriptor with the plugin itself in it.
  defaultPreset.plugins = defaultPreset.plugins.map((entry) =>
    ('plugin' in entry ? entry.plugin : entry) === Accessibility ? translated : entry,
  )
}
