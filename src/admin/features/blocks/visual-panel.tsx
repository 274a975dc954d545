import { ActionIcon, Button } from '@mantine/core'
import { createUsePuck, Drawer } from '@puckeditor/core'
import { ClipboardPaste, Plus } from 'lucide-react'
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import { later, useSoon } from '../../components/later.tsx'
import { useLatest } from '../../components/latest.ts'
import { Waiting } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { BlockHint } from './block-hint.tsx'
import { blockName } from './block-names.ts'
import forms from './blocks.module.css'
import { type Problems, problemsUnder } from './problems.ts'
import { fromItem, fromPuck, pathOf } from './puck-data.ts'
import type { CanvasWork } from './use-canvas-work.ts'
import { BlockActions } from './visual-actions.tsx'
import styles from './visual-editor.module.css'

/** Its fields are first wanted when a block is chosen. */
const ChosenForm = later(
  async () => {
    const { BlockForm } = await import('./block-form.tsx')
    return ({ onDrawn, ...props }: ComponentProps<typeof BlockForm> & { onDrawn: () => void }) => (
      <>
        <BlockForm {...props} />
        <Drawn then={onDrawn} />
      </>
    )
  },
  <Waiting />,
)
const AllBlocks = later(async () => (await import('./visual-overview.tsx')).AllBlocks, <Waiting />)
const usePuck = createUsePuck()
const tabs = ['block', 'add', 'all'] as const
type Tab = (typeof tabs)[number]

/** Where the focus is to be when the form of the chosen block has come. */
export type Arriving = 'field' | 'heading' | undefined

/** Beside the canvas: the form of the chosen block, the blocks that can be added, and all that stand on the page. */
export function VisualPanel(props: {
  work: CanvasWork
  locale: Locale
  problems: Problems
  arriving: RefObject<Arriving>
}) {
  const { work, arriving } = props
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  useSoon([ChosenForm, AllBlocks])
  const [tab, setTab] = useState<Tab>('add')
  const chosen = work.chosen?.props.id as string | undefined
  /** What had the focus goes with its tab: who came by keys goes on in the first field, who came by mouse stays near. */
  const leave = () => {
    const held = document.activeElement
    if (held && place.current?.contains(held)) arriving.current = held.matches(':focus-visible') ? 'field' : 'heading'
  }
  const toForm = () => {
    leave()
    setTab('block')
  }
  // Who chooses a block on the canvas wants to change it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice matters
  useEffect(() => {
    if (chosen && (tab === 'add' || arriving.current)) toForm()
  }, [chosen])

  const onDrawn = () => {
    const to = arriving.current
    arriving.current = undefined
    const field = place.current?.querySelector<HTMLElement>(`[data-block-form] > :first-child :is(${focusable})`)
    if (to === 'field' && field) field.focus()
    else if (to) place.current?.querySelector('h3')?.focus({ preventScroll: true })
  }
  const toTab = () => place.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
  const remove = (id: string) => {
    work.remove(id)
    toTab()
  }
  return (
    <div className={styles.panel} ref={place}>
      <div className={styles.tabs}>
        {tabs.map((one) => (
          <button key={one} type="button" aria-pressed={one === tab} onClick={() => setTab(one)}>
            {t(`blocks.visual.tabs.${one}`)}
          </button>
        ))}
      </div>
      <div className={styles.panelBody}>
        {tab === 'block' && <ChosenBlock {...props} work={{ ...work, remove }} onDrawn={onDrawn} />}
        {tab === 'add' && <NewBlocks work={work} onLeave={leave} />}
        {tab === 'all' && <AllBlocks {...props} onChange={toForm} onEmptied={toTab} />}
      </div>
    </div>
  )
}

const focusable = 'input, textarea, select, button, [contenteditable="true"]'

function ChosenBlock(props: { work: CanvasWork; locale: Locale; problems: Problems; onDrawn: () => void }) {
  const { work, locale, problems, onDrawn } = props
  const t = useText()
  const spoken = useLocale()
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
        <h3 tabIndex={-1}>{blockName(block.type, spoken)}</h3>
        <BlockActions id={id} name={blockName(block.type, spoken)} work={work} />
      </div>
      <ChosenForm
        key={id}
        block={block}
        // Puck knows it by its own id, which may be longer than the one that is stored.
        onChange={(changed) => work.change({ ...changed, id })}
        problems={own ? { ...below, '': own } : below}
        locale={locale}
        onDrawn={onDrawn}
      />
    </>
  )
}

function NewBlocks({ work, onLeave }: { work: CanvasWork; onLeave: () => void }) {
  const t = useText()
  const spoken = useLocale()
  const { compare } = new Intl.Collator(spoken)
  const types = (Object.keys(blocks) as BlockType[]).sort((one, other) =>
    compare(blockName(one, spoken), blockName(other, spoken)),
  )
  return (
    <>
      <p className={forms.quiet}>{t('blocks.visual.addHelp')}</p>
      <div className={styles.types}>
        <Drawer>
          {types.map((type) => (
            <div key={type} className={styles.type}>
              <div className={styles.drag} aria-hidden>
                <Drawer.Item name={type} label={blockName(type, spoken)}>
                  {() => (
                    <div ref={onlyDragged} className={styles.dragged}>
                      {blockName(type, spoken)}
                      <BlockHint type={type} />
                    </div>
                  )}
                </Drawer.Item>
              </div>
              <ActionIcon
                aria-label={t('blocks.visual.addOne', { name: blockName(type, spoken) })}
                onClick={() => {
                  // Puck draws what it lists anew with each change, and the focus is gone then.
                  onLeave()
                  work.add(type)
                }}
              >
                <Plus size={18} aria-hidden />
              </ActionIcon>
            </div>
          ))}
        </Drawer>
      </div>
      <Button variant="subtle" leftSection={<ClipboardPaste size={18} aria-hidden />} onClick={() => void work.paste()}>
        {t('blocks.paste')}
      </Button>
    </>
  )
}

/** What is dragged by mouse is no stop for who goes by keys: the button beside it adds the block. */
const onlyDragged = (name: HTMLElement | null) => {
  name?.closest('[data-puck-drawer-item]')?.setAttribute('tabindex', '-1')
}

/** Stands behind what comes later, and is drawn when that is. */
function Drawn({ then }: { then: () => void }) {
  const latest = useLatest(then)
  useEffect(() => latest.current(), [latest])
  return null
}
