import { Button } from '@mantine/core'
import { type ComponentData, createUsePuck, Drawer } from '@puckeditor/core'
import { ClipboardPaste, Plus } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import { IconButton } from '../../components/buttons.tsx'
import { useLatest } from '../../components/latest.ts'
import { lazyPart, usePreload } from '../../components/lazy-part.tsx'
import { Loading } from '../../components/states.tsx'
import { translate, useLocale, useText } from '../../i18n.ts'
import { ReplaceBlockContext } from '../sections/sections.ts'
import { BlockPicker } from './add-block.tsx'
import { pageBlockTypes } from './block-choices.ts'
import { InLockedBlockContext, LocksContext } from './block-locks.ts'
import { BlockHint, blockName } from './block-names.tsx'
import { BlockThumbnail } from './block-thumbnails.tsx'
import { EditorFrameContext } from './canvas-tools.ts'
import { BlockActions } from './list-actions.tsx'
import { type Problems, problemsUnder } from './problems.ts'
import { fromItem, fromPuck, pathOf } from './puck-data.ts'
import { BlockOverview, handleBlockKey, SidePanel, type usePanels } from './side-panel.tsx'
import type { CanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

interface OnRendered {
  /** Called with true after the content is mounted, and with false when it unmounts. */
  onRendered: (isMounted: boolean) => void
}

/** The form of a block, loaded when a block is first selected. */
const LazyBlockForm = lazyPart(
  async () => {
    const { BlockForm } = await import('./block-form.tsx')
    return ({ onRendered, ...props }: ComponentProps<typeof BlockForm> & OnRendered) => (
      <>
        <BlockForm {...props} />
        <AfterRender onRendered={onRendered} />
      </>
    )
  },
  <Loading />,
)
const usePuck = createUsePuck()
const tabs = ['all', 'add'] as const
type Tab = (typeof tabs)[number]

/** The element to focus when the form of the selected block has loaded. */
type FocusTarget = 'field' | 'heading' | undefined

interface PanelProps {
  actions: CanvasActions
  selectedItem: ComponentData | null
  locale: Locale
  problems: Problems
  panels: ReturnType<typeof usePanels>
}

/**
 * Moves the focus to the form of the selected block, which may have to open or to load first: keyboard users continue
 * in its first field, mouse users at its heading.
 */
export function useFocusOnForm(panels: ReturnType<typeof usePanels>, selectedId: string | undefined) {
  const { closeSettings } = useContext(EditorFrameContext)
  const panel = useRef<HTMLElement>(null)
  const latestSelectedId = useLatest(selectedId)
  const expectedTarget = useRef<FocusTarget>(undefined)
  const renderedId = useRef<string>(undefined)
  const moveFocus = () => {
    const target = expectedTarget.current
    expectedTarget.current = undefined
    const field = panel.current?.querySelector<HTMLElement>(`[data-block-form] > :first-child :is(${focusable})`)
    if (target === 'field' && field) field.focus()
    else if (target) panel.current?.querySelector('h2')?.focus({ preventScroll: true })
  }
  const open = () => {
    if (!panels.isOpen.fields) panels.set('fields', true)
    // In the next frame, when the settings no longer cover the form and a new selection is rendered.
    requestAnimationFrame(() => {
      if (renderedId.current === latestSelectedId.current) moveFocus()
    })
  }
  // For a new block, which is selected after `expect`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another selection matters
  useEffect(() => {
    if (selectedId && expectedTarget.current) open()
  }, [selectedId])
  return {
    panel,
    open,
    /** Focuses the form of the next selected block: by default its first field, for mouse users its heading. */
    expect(target?: FocusTarget) {
      closeSettings()
      expectedTarget.current = target ?? (document.activeElement?.matches(':focus-visible') ? 'field' : 'heading')
    },
    /** @param id the block whose form is mounted; undefined when the form unmounts */
    onRendered(id: string | undefined) {
      renderedId.current = id
      if (id) moveFocus()
    },
  }
}
type FocusOnForm = ReturnType<typeof useFocusOnForm>

type FormPanelProps = PanelProps & { formFocus: FocusOnForm; focusOutline: () => void }

/** All blocks of the page, and the blocks that can be added. */
export function OutlinePanel(props: FormPanelProps) {
  const { actions, panels, formFocus, focusOutline } = props
  const latestFormFocus = useLatest(formFocus)
  const [expectFocus] = useState(() => () => latestFormFocus.current.expect())
  const t = useText()
  // False in the first render, so that the page appears before the overview.
  const isReady = useDeferredValue(true, false)
  const isEmpty = usePuck((puck) => puck.appState.data.content.length === 0)
  const [selectedTab, setTab] = useState<Tab>(isEmpty ? 'add' : 'all')
  const mayAdd = !useContext(LocksContext).userLock.page
  const tab = mayAdd ? selectedTab : 'all'
  const head = (
    <div className={styles.tabs}>
      <h2 className="visually-hidden">{t('blocks.visual.panels.outline')}</h2>
      {tabs
        .filter((name) => name === 'all' || mayAdd)
        .map((name) => (
          <button key={name} type="button" aria-pressed={name === tab} onClick={() => setTab(name)}>
            {t(`blocks.visual.tabs.${name}`)}
          </button>
        ))}
    </div>
  )
  return (
    <SidePanel name="outline" panels={panels} head={head}>
      {tab === 'add' && <NewBlocks actions={actions} expectFocus={expectFocus} />}
      {tab === 'all' && isReady && <BlockOverview {...props} formFocus={latestFormFocus} onEmptied={focusOutline} />}
    </SidePanel>
  )
}

/** The form of the selected block. */
export function FieldsPanel(props: FormPanelProps) {
  const { actions, selectedItem, panels, formFocus, focusOutline } = props
  const latestFocusOutline = useLatest(focusOutline)
  const t = useText()
  const uiLocale = useLocale()
  usePreload([LazyBlockForm])
  const name = selectedItem && blockName(selectedItem.type, uiLocale)
  const id = selectedItem?.props.id as string
  // The form of another block begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another block matters
  useEffect(() => void formFocus.panel.current?.lastElementChild?.scrollTo(0, 0), [id])
  const panelActions = useMemo(
    () => ({
      ...actions,
      remove(removedId: string) {
        actions.remove(removedId)
        latestFocusOutline.current()
      },
    }),
    [actions, latestFocusOutline],
  )
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // On the heading, which has the focus after a click in the outline, and on the panel. Not in fields, menus and dialogs.
    const isForBlock = event.target === event.currentTarget || (event.target as Element).matches('h2')
    if (selectedItem && isForBlock && !actions.isLocked(id)) handleBlockKey(event, id, panelActions)
  }
  const head = (
    <div className={styles.chosen}>
      <h2 tabIndex={-1}>{name ?? t('blocks.visual.panels.fields')}</h2>
      {name && <BlockActions id={id} name={name} actions={panelActions} locked={actions.isLocked(id)} />}
    </div>
  )
  return (
    <SidePanel name="fields" panels={panels} panelRef={formFocus.panel} onKeyDown={onKeyDown} head={head}>
      <SelectedBlock {...props} onRendered={formFocus.onRendered} />
    </SidePanel>
  )
}

const focusable = 'input, textarea, select, button, [contenteditable="true"]'

function SelectedBlock(props: PanelProps & { onRendered: FocusOnForm['onRendered'] }) {
  const { actions, selectedItem, locale, problems, onRendered } = props
  const t = useText()
  const content = usePuck((puck) => puck.appState.data.content)
  if (!selectedItem) return <p className="quiet flush">{t('blocks.visual.chooseOne')}</p>
  const block = fromItem(selectedItem)
  const id = selectedItem.props.id as string
  const path = pathOf(fromPuck({ content }), block.id ?? '')
  const blockProblem = path && problems[path]
  const fieldProblems = path ? problemsUnder(problems, path) : {}
  return (
    <InLockedBlockContext value={actions.isLocked(id)}>
      <ReplaceBlockContext value={(blocks) => actions.replace(id, 1, blocks)}>
        <LazyBlockForm
          key={id}
          block={block}
          onChange={(update) => actions.update(id, update)}
          problems={blockProblem ? { ...fieldProblems, '': blockProblem } : fieldProblems}
          locale={locale}
          inColumn={path?.includes('.') ?? false}
          onRendered={(isMounted) => onRendered(isMounted ? id : undefined)}
        />
      </ReplaceBlockContext>
    </InLockedBlockContext>
  )
}

const NewBlocks = memo(({ actions, expectFocus }: { actions: CanvasActions; expectFocus: () => void }) => {
  const t = useText()
  const uiLocale = useLocale()
  const add = (type: BlockType) => {
    // To the form of the new block: Puck renders this list again with each change, which loses the focus.
    expectFocus()
    actions.add(type)
  }
  return (
    <>
      <p className="quiet flush">{t('blocks.visual.addHelp')}</p>
      <div className={styles.types}>
        <Drawer>
          <BlockPicker
            types={pageBlockTypes}
            saved={{ locale: actions.locale, onInsert: actions.insert }}
            onEnter={add}
          >
            {(type) => (
              <div className={styles.type}>
                <div className={styles.drag} aria-hidden onClick={() => add(type)}>
                  <Drawer.Item name={type} label={blockName(type, uiLocale)}>
                    {() => (
                      <div ref={removeFromTabOrder} className={styles.dragged}>
                        <BlockThumbnail type={type} />
                        <strong>{blockName(type, uiLocale)}</strong>
                        <BlockHint type={type} />
                      </div>
                    )}
                  </Drawer.Item>
                </div>
                <IconButton
                  label={t('blocks.visual.addOne', { name: blockName(type, uiLocale) })}
                  icon={<Plus size={18} />}
                  data-choice
                  onClick={() => add(type)}
                />
              </div>
            )}
          </BlockPicker>
        </Drawer>
      </div>
      <Button variant="subtle" leftSection={<ClipboardPaste />} onClick={() => void actions.paste()}>
        {t('blocks.paste')}
      </Button>
    </>
  )
})

/** Takes the draggable item around an element out of the tab order: keyboard users press the button beside it. */
const removeFromTabOrder = (element: HTMLElement | null) => {
  const item = element?.closest('[data-puck-drawer-item]')
  item?.setAttribute('tabindex', '-1')
  item?.setAttribute('aria-roledescription', translate('blocks.visual.drag.role'))
}

/** Calls back when it is mounted, as a sibling of lazy content: that is when the content has loaded. */
function AfterRender({ onRendered }: OnRendered) {
  const latest = useLatest(onRendered)
  useEffect(() => {
    latest.current(true)
    return () => latest.current(false)
  }, [latest])
  return null
}
