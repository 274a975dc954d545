import { Button } from '@mantine/core'
import { type ComponentData, createUsePuck, Drawer } from '@puckeditor/core'
import { ClipboardPaste, Plus } from 'lucide-react'
import { type ComponentProps, memo, useContext, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
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
import { InLockedBlock, LocksContext } from './block-locks.ts'
import { BlockHint, blockName } from './block-names.tsx'
import { BlockThumbnail } from './block-thumbnails.tsx'
import { EditorFrame } from './canvas-tools.ts'
import { BlockActions } from './list-actions.tsx'
import { type Problems, problemsUnder } from './problems.ts'
import { fromItem, fromPuck, pathOf } from './puck-data.ts'
import { BlockOverview, SidePanel, type usePanels } from './side-panel.tsx'
import type { CanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

interface OnRendered {
  /** Called with true when it is rendered, and with false when it was removed. */
  onRendered: (isThere: boolean) => void
}

/** Loaded when a block is first selected. */
const ChosenForm = lazyPart(
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
export type FocusTarget = 'field' | 'heading' | undefined

interface PanelProps {
  work: CanvasActions
  /** The selected block. */
  chosen: ComponentData | null
  locale: Locale
  problems: Problems
  panels: ReturnType<typeof usePanels>
}

/**
 * Moves the focus to the form of the selected block, which may have to open or to load first: keyboard users continue
 * in its first field, mouse users at its heading.
 */
export function useFocusOnForm(panels: ReturnType<typeof usePanels>, chosen: string | undefined) {
  const { closeSettings } = useContext(EditorFrame)
  const panel = useRef<HTMLElement>(null)
  const latest = useLatest(chosen)
  const arriving = useRef<FocusTarget>(undefined)
  const rendered = useRef<string>(undefined)
  const arrive = () => {
    const to = arriving.current
    arriving.current = undefined
    const field = panel.current?.querySelector<HTMLElement>(`[data-block-form] > :first-child :is(${focusable})`)
    if (to === 'field' && field) field.focus()
    else if (to) panel.current?.querySelector('h2')?.focus({ preventScroll: true })
  }
  const open = () => {
    if (!panels.isOpen.fields) panels.set('fields', true)
    // When what covered it has gone, and another block may have been selected.
    requestAnimationFrame(() => {
      if (rendered.current === latest.current) arrive()
    })
  }
  // A block that was added is selected after this.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another selection matters
  useEffect(() => {
    if (chosen && arriving.current) open()
  }, [chosen])
  return {
    panel,
    open,
    /** The next block that is selected gets the focus. */
    expect(to?: FocusTarget) {
      closeSettings()
      arriving.current = to ?? (document.activeElement?.matches(':focus-visible') ? 'field' : 'heading')
    },
    /** @param id the block whose form was rendered; undefined when it was removed */
    onRendered(id: string | undefined) {
      rendered.current = id
      if (id) arrive()
    },
  }
}
type FocusOnForm = ReturnType<typeof useFocusOnForm>

/** All blocks of the page, and the blocks that can be added. */
export function OutlinePanel(props: PanelProps & { form: FocusOnForm; toOutline: () => void }) {
  const { work, panels, form, toOutline } = props
  const latestForm = useLatest(form)
  const [onLeave] = useState(() => () => latestForm.current.expect())
  const t = useText()
  // The page is rendered first.
  const isDeferred = useDeferredValue(true, false)
  const isEmpty = usePuck((puck) => puck.appState.data.content.length === 0)
  const [chosenTab, setTab] = useState<Tab>(isEmpty ? 'add' : 'all')
  const mayAdd = !useContext(LocksContext).userLock.page
  const tab = mayAdd ? chosenTab : 'all'
  const head = (
    <div className={styles.tabs}>
      <h2 className="visually-hidden">{t('blocks.visual.panels.outline')}</h2>
      {tabs
        .filter((one) => one === 'all' || mayAdd)
        .map((one) => (
          <button key={one} type="button" aria-pressed={one === tab} onClick={() => setTab(one)}>
            {t(`blocks.visual.tabs.${one}`)}
          </button>
        ))}
    </div>
  )
  return (
    <SidePanel name="outline" panels={panels} head={head}>
      {tab === 'add' && <NewBlocks work={work} onLeave={onLeave} />}
      {tab === 'all' && isDeferred && <BlockOverview {...props} form={latestForm} onEmptied={toOutline} />}
    </SidePanel>
  )
}

/** The form of the selected block. */
export function FieldsPanel(props: PanelProps & { form: FocusOnForm; toOutline: () => void }) {
  const { work, chosen, panels, form, toOutline } = props
  const latestToOutline = useLatest(toOutline)
  const t = useText()
  const uiLocale = useLocale()
  usePreload([ChosenForm])
  const name = chosen && blockName(chosen.type, uiLocale)
  const id = chosen?.props.id as string
  // The form of another block begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another block matters
  useEffect(() => void form.panel.current?.lastElementChild?.scrollTo(0, 0), [id])
  const inPanel = useMemo(
    () => ({
      ...work,
      remove(removed: string) {
        work.remove(removed)
        latestToOutline.current()
      },
    }),
    [work, latestToOutline],
  )
  const head = (
    <div className={styles.chosen}>
      <h2 tabIndex={-1}>{name ?? t('blocks.visual.panels.fields')}</h2>
      {name && <BlockActions id={id} name={name} work={inPanel} locked={work.isLocked(id)} />}
    </div>
  )
  return (
    <SidePanel name="fields" panels={panels} panelRef={form.panel} head={head}>
      <ChosenBlock {...props} onRendered={form.onRendered} />
    </SidePanel>
  )
}

const focusable = 'input, textarea, select, button, [contenteditable="true"]'

function ChosenBlock(props: PanelProps & { onRendered: FocusOnForm['onRendered'] }) {
  const { work, chosen, locale, problems, onRendered } = props
  const t = useText()
  const content = usePuck((puck) => puck.appState.data.content)
  if (!chosen) return <p className="quiet flush">{t('blocks.visual.chooseOne')}</p>
  const block = fromItem(chosen)
  const id = chosen.props.id as string
  const path = pathOf(fromPuck({ content }), block.id ?? '')
  const own = path && problems[path]
  const below = path ? problemsUnder(problems, path) : {}
  return (
    <InLockedBlock value={work.isLocked(id)}>
      <ReplaceBlockContext value={(blocks) => work.replace(id, 1, blocks)}>
        <ChosenForm
          key={id}
          block={block}
          onChange={(update) => work.update(id, update)}
          problems={own ? { ...below, '': own } : below}
          locale={locale}
          inColumn={path?.includes('.') ?? false}
          onRendered={(isThere) => onRendered(isThere ? id : undefined)}
        />
      </ReplaceBlockContext>
    </InLockedBlock>
  )
}

const NewBlocks = memo(({ work, onLeave }: { work: CanvasActions; onLeave: () => void }) => {
  const t = useText()
  const uiLocale = useLocale()
  const add = (type: BlockType) => {
    // Puck renders the list again with each change, which loses the focus.
    onLeave()
    work.add(type)
  }
  return (
    <>
      <p className="quiet flush">{t('blocks.visual.addHelp')}</p>
      <div className={styles.types}>
        <Drawer>
          <BlockPicker types={pageBlockTypes} saved={{ locale: work.locale, onBlocks: work.insert }} onFirst={add}>
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
      <Button variant="subtle" leftSection={<ClipboardPaste />} onClick={() => void work.paste()}>
        {t('blocks.paste')}
      </Button>
    </>
  )
})

/** Removed from the tab order: for keyboard users the button beside it adds the block. */
const removeFromTabOrder = (name: HTMLElement | null) => {
  const item = name?.closest('[data-puck-drawer-item]')
  item?.setAttribute('tabindex', '-1')
  item?.setAttribute('aria-roledescription', translate('blocks.visual.drag.role'))
}

/** Rendered after lazy content, to call back when that has loaded. */
function AfterRender({ onRendered }: OnRendered) {
  const latest = useLatest(onRendered)
  useEffect(() => {
    latest.current(true)
    return () => latest.current(false)
  }, [latest])
  return null
}
