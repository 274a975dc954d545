import { hashKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useContext, useMemo, useRef, useState } from 'react'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import { Failed, Loading, NotLoaded } from '../../components/states.tsx'
import { meQuery } from '../sign-in/me.ts'
import { previewDataQuery, renderContextOf, siteTextsQuery } from './preview-data.ts'
import { noProblems, type Problems } from './problems.ts'
import './visual-editor.css'
import { Accessibility, defaultPreset } from '@dnd-kit/dom'
import { Puck } from '@puckeditor/core'
import { hasMainHeading } from '../../../blocks/block-contents.ts'
import type { RenderContext } from '../../../blocks/define-block.ts'
import { type AnyBlock, blockSchema } from '../../../blocks/registry.ts'
import { withSections } from '../../../blocks/section.tsx'
import { directionOf, type Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLatest } from '../../components/latest.ts'
import { currentLocale, translate, useLocale, useText } from '../../i18n.ts'
import { isLockedWithColumns, LocksContext } from './block-locks.ts'
import { blockName } from './block-names.tsx'
import { CanvasContext, CanvasFrame } from './canvas-block.tsx'
import { EditorFrame } from './canvas-tools.ts'
import { type Agreed, EditedBlocks, EditorLayout } from './editor-layout.tsx'
import { lockedPermissions, PageTitle, puckConfig, puckDictionary } from './puck-config.tsx'
import { fromPuck, pathOf, storedId, toPuck } from './puck-data.ts'
import type { BlockPosition, ChangeBlocks } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

/** The visual editor of a page's blocks, with the data that it needs. */
export function BodyEditor({ problems = noProblems, ...props }: BodyEditorProps) {
  const { value, locale, path } = props
  const { data: me } = useQuery(meQuery)
  const { data, error, refetch, isPlaceholderData } = useQuery(previewDataQuery(value, locale))
  // After a failed request the query has no data, and without it the canvas would lose its undo history.
  const [known, setKnown] = useState(data)
  if (data && data !== known) setKnown(data)
  const parts = data ?? known
  const { data: siteTexts, error: textsError, refetch: refetchTexts } = useQuery(siteTextsQuery(locale))
  const t = useText()
  const pending = isPlaceholderData || !data ? publicFileIdsIn(JSON.stringify(value)).join() : ''
  // The same object for each keystroke, so that only the changed block is rendered again.
  const renderContext = useMemo(
    () =>
      parts &&
      siteTexts &&
      me &&
      renderContextOf(parts, {
        locale,
        path,
        t: siteTexts,
        viewer: me,
        pendingImages: pending ? pending.split(',') : [],
      }),
    [parts, locale, path, siteTexts, me, pending],
  )
  if (error && !parts) return <Failed error={error} retry={() => void refetch()} />
  if (textsError && !siteTexts) return <Failed error={textsError} retry={() => void refetchTexts()} />
  if (!renderContext) return <Loading />
  return (
    <VisualEditor key={locale} {...props} problems={problems} renderContext={renderContext}>
      {error && !data && <NotLoaded text={t('blocks.visual.notUpdated')} retry={() => void refetch()} />}
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
  /** By path in the list: `3.items.0.title`. */
  problems?: Problems
  /** Another key resets the undo history to the blocks that come with it. */
  historyKey: number
  /** The page's path without its language: `/diensten`. */
  path: string
  /** Rendered above the blocks when none of them has a heading. */
  title: string
}

/** Puck with our blocks, our forms and the site's styles. */
function VisualEditor(
  props: BodyEditorProps & {
    problems: Problems
    renderContext: RenderContext
    /** Below the canvas. */
    children: ReactNode
  },
) {
  const { value, onChange, locale, problems, historyKey, title, renderContext, children } = props
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
  const agreed = useRef<Agreed>({ blocks: value, hash: hashKey([fromPuck(initialData)]) })
  const onUndo = useRef(() => {})
  const onRemove = useRef((_at: BlockPosition) => {})
  const latest = useLatest(onChange)
  const { closeSettings } = useContext(EditorFrame)
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
          // By dragging, pasting or a button: its fields are shown.
          if (action.type === 'insert') closeSettings()
          // Only the history replaces the whole state.
          if (action.type === 'set') onUndo.current()
          // By our actions, or by keys and buttons of Puck.
          if (action.type === 'remove') onRemove.current(action)
        }}
        onChange={(data) => {
          const blocks = fromPuck(data)
          const hash = hashKey([blocks])
          if (hash === agreed.current.hash) return
          agreed.current = { blocks, hash }
          latest.current(() => blocks)
        }}
      >
        <EditorLayout agreed={agreed} onUndo={onUndo} onRemove={onRemove} locale={locale} />
      </Puck>
    ),
    [config, initialData, t, locale, userLock.page, closeSettings, latest],
  )
  const wrongIds = useMemo(() => idsOfWrong(value, problems).join(' '), [value, problems])
  const canvas = useMemo(() => ({ renderContext, wrong: new Set(wrongIds.split(' ')) }), [renderContext, wrongIds])
  const [change] = useState(() => (update: Parameters<ChangeBlocks>[0]) => latest.current(update))
  const edited = useMemo(() => ({ value, problems, historyKey, change }), [value, problems, historyKey, change])
  return (
    <CanvasContext value={canvas}>
      <PageTitle value={headOf(value, title, renderContext)}>
        <div className={styles.editor} dir={directionOf(uiLocale)}>
          <EditedBlocks value={edited}>{puck}</EditedBlocks>
          {children}
        </div>
      </PageTitle>
    </CanvasContext>
  )
}

function headOf(value: readonly StoredBlock[], title: string, { sections }: RenderContext): string {
  const readable = value.flatMap((block) => readBlock(block) ?? [])
  return hasMainHeading(withSections(readable, sections ?? new Map())) ? '' : title
}

const readBlocks = new WeakMap<StoredBlock, AnyBlock | undefined>()

/** Reads a block once: of those of a page one changes with each key. */
function readBlock(block: StoredBlock): AnyBlock | undefined {
  if (!readBlocks.has(block)) readBlocks.set(block, blockSchema.safeParse(block).data)
  return readBlocks.get(block)
}

/** The ids of blocks with errors, and of the blocks around those. */
function idsOfWrong(value: readonly StoredBlock[], problems: Problems): string[] {
  const paths = Object.keys(problems)
  if (paths.length === 0) return []
  return fromPuck(toPuck(value))
    .flatMap((block) => allIds(block))
    .filter((id) => {
      const path = pathOf(fromPuck(toPuck(value)), id)
      return path !== undefined && paths.some((one) => one === path || one.startsWith(`${path}.`))
    })
}

function allIds(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'id' in value && 'type' in value ? [String(value.id)] : []
  return [...own, ...Object.values(value).flatMap(allIds)]
}

interface Drag {
  operation: { source: { data?: { componentType?: unknown } } | null; target: unknown }
  canceled?: boolean
}

const nameOf = ({ source }: Drag['operation']) => blockName(String(source?.data?.componentType ?? ''), currentLocale())

/**
 * Translates the screen reader announcements of dragging. Puck uses the default plugins of dnd-kit and has no option
 * for their texts, which are English and name blocks by id.
 */
function translateDragAnnouncements(): void {
  const translated = Accessibility.configure({
    announcements: {
      dragstart: ({ operation }: Drag) => translate('blocks.visual.drag.start', { name: nameOf(operation) }),
      dragend: ({ operation, canceled }: Drag) =>
        translate(canceled || !operation.target ? 'blocks.visual.drag.cancelled' : 'blocks.visual.drag.dropped', {
          name: nameOf(operation),
        }),
    },
    screenReaderInstructions: { draggable: translate('blocks.visual.drag.help') },
  })
  defaultPreset.plugins = defaultPreset.plugins.map((one) =>
    ('plugin' in one ? one.plugin : one) === Accessibility ? translated : one,
  )
}
