import { ActionIcon, Button } from '@mantine/core'
import { createUsePuck, Drawer } from '@puckeditor/core'
import { ClipboardPaste, Plus } from 'lucide-react'
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import { useLatest } from '../../components/latest.ts'
import { lazyPart, usePreload } from '../../components/lazy-part.tsx'
import { Loading } from '../../components/states.tsx'
import { translate, useLocale, useText } from '../../i18n.ts'
import { BlockPicker } from './add-block.tsx'
import { pageBlockTypes } from './block-choices.ts'
import { BlockHint, blockName } from './block-names.tsx'
import { BlockThumbnail } from './block-thumbnails.tsx'
import forms from './blocks.module.css'
import { BlockActions } from './list-actions.tsx'
import { type Problems, problemsUnder } from './problems.ts'
import { fromItem, fromPuck, pathOf } from './puck-data.ts'
import type { CanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

/** Loaded when a block is first selected. */
const ChosenForm = lazyPart(
  async () => {
    const { BlockForm } = await import('./block-form.tsx')
    return ({ onRendered, ...props }: ComponentProps<typeof BlockForm> & { onRendered: () => void }) => (
      <>
        <BlockForm {...props} />
        <AfterRender then={onRendered} />
      </>
    )
  },
  <Loading />,
)
const AllBlocks = lazyPart(async () => (await import('./block-overview.tsx')).BlockOverview, <Loading />)
const usePuck = createUsePuck()
const tabs = ['block', 'add', 'all'] as const
type Tab = (typeof tabs)[number]

/** The element to focus when the form of the selected block has loaded. */
export type FocusTarget = 'field' | 'heading' | undefined

/** The panel beside the canvas: the selected block's form, the blocks to add, and the list of all blocks. */
export function EditorPanel(props: {
  work: CanvasActions
  locale: Locale
  problems: Problems
  arriving: RefObject<FocusTarget>
  /** How many times a block was clicked on the canvas: each opens its form, also of the block that was selected. */
  clicks: number
}) {
  const { work, arriving, clicks } = props
  const t = useText()
  const panel = useRef<HTMLDivElement>(null)
  usePreload([ChosenForm, AllBlocks])
  const [tab, setTab] = useState<Tab>('add')
  const chosen = work.chosen?.props.id as string | undefined
  /**
   * The focused element disappears with its tab: keyboard users continue in the first field, mouse users at the
   * heading.
   */
  const rememberFocus = () => {
    const focused = document.activeElement
    if (focused && panel.current?.contains(focused))
      arriving.current = focused.matches(':focus-visible') ? 'field' : 'heading'
  }
  const toForm = () => {
    rememberFocus()
    setTab('block')
  }
  // Selecting a block on the canvas opens its form.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another selection matters
  useEffect(() => {
    if (chosen && (tab === 'add' || arriving.current)) toForm()
  }, [chosen])
  useEffect(() => {
    if (clicks > 0) setTab('block')
  }, [clicks])

  const onRendered = () => {
    const to = arriving.current
    arriving.current = undefined
    const field = panel.current?.querySelector<HTMLElement>(`[data-block-form] > :first-child :is(${focusable})`)
    if (to === 'field' && field) field.focus()
    else if (to) panel.current?.querySelector('h3')?.focus({ preventScroll: true })
  }
  const toTab = () => panel.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
  const remove = (id: string) => {
    work.remove(id)
    toTab()
  }
  return (
    <div className={styles.panel} ref={panel}>
      <div className={styles.tabs}>
        {tabs.map((one) => (
          <button key={one} type="button" aria-pressed={one === tab} onClick={() => setTab(one)}>
            {t(`blocks.visual.tabs.${one}`)}
          </button>
        ))}
      </div>
      <div className={styles.panelBody}>
        {tab === 'block' && <ChosenBlock {...props} work={{ ...work, remove }} onRendered={onRendered} />}
        {tab === 'add' && <NewBlocks work={work} onLeave={rememberFocus} />}
        {tab === 'all' && <AllBlocks {...props} onChange={toForm} onEmptied={toTab} />}
      </div>
    </div>
  )
}

const focusable = 'input, textarea, select, button, [contenteditable="true"]'

function ChosenBlock(props: { work: CanvasActions; locale: Locale; problems: Problems; onRendered: () => void }) {
  const { work, locale, problems, onRendered } = props
  const t = useText()
  const uiLocale = useLocale()
  const content = usePuck((puck) => puck.appState.data.content)
  if (!work.chosen) return <p className={forms.quiet}>{t('blocks.visual.chooseOne')}</p>
  const block = fromItem(work.chosen)
  const id = work.chosen.props.id as string
  const path = pathOf(fromPuck({ content }), block.id ?? '')
  const own = path && problems[path]
  const below = path ? problemsUnder(problems, path) : {}
  return (
    <>
      <div className={styles.chosen}>
        <h3 tabIndex={-1}>{blockName(block.type, uiLocale)}</h3>
        <BlockActions id={id} name={blockName(block.type, uiLocale)} work={work} />
      </div>
      <ChosenForm
        key={id}
        block={block}
        // Puck's own id, which may be longer than the stored one.
        onChange={(changed) => work.change({ ...changed, id })}
        problems={own ? { ...below, '': own } : below}
        locale={locale}
        inColumn={path?.includes('.') ?? false}
        onRendered={onRendered}
      />
    </>
  )
}

function NewBlocks({ work, onLeave }: { work: CanvasActions; onLeave: () => void }) {
  const t = useText()
  const uiLocale = useLocale()
  const add = (type: BlockType) => {
    // Puck renders the list again with each change, which loses the focus.
    onLeave()
    work.add(type)
  }
  return (
    <>
      <p className={forms.quiet}>{t('blocks.visual.addHelp')}</p>
      <div className={styles.types}>
        <Drawer>
          <BlockPicker types={pageBlockTypes} onFirst={add}>
            {(type) => (
              <div className={styles.type}>
                <div className={styles.drag} aria-hidden>
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
                <ActionIcon
                  aria-label={t('blocks.visual.addOne', { name: blockName(type, uiLocale) })}
                  data-choice
                  onClick={() => add(type)}
                >
                  <Plus size={18} aria-hidden />
                </ActionIcon>
              </div>
            )}
          </BlockPicker>
        </Drawer>
      </div>
      <Button variant="subtle" leftSection={<ClipboardPaste size={18} aria-hidden />} onClick={() => void work.paste()}>
        {t('blocks.paste')}
      </Button>
    </>
  )
}

/** Removed from the tab order: for keyboard users the button beside it adds the block. */
const removeFromTabOrder = (name: HTMLElement | null) => {
  const item = name?.closest('[data-puck-drawer-item]')
  item?.setAttribute('tabindex', '-1')
  item?.setAttribute('aria-roledescription', translate('blocks.visual.drag.role'))
}

/** Rendered after lazy content, to call back when that has loaded. */
function AfterRender({ then }: { then: () => void }) {
  const latest = useLatest(then)
  useEffect(() => latest.current(), [latest])
  return null
}
