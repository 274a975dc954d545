import { ActionIcon, Button } from '@mantine/core'
import { type ComponentData, createUsePuck, Drawer } from '@puckeditor/core'
import { ClipboardPaste, Plus } from 'lucide-react'
import { type KeyboardEvent, lazy, Suspense, useEffect, useState } from 'react'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { direction, type Locale } from '../../../contract/locales.ts'
import { Waiting } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName, summaryOf } from './block-names.ts'
import forms from './blocks.module.css'
import { ListActions } from './list-actions.tsx'
import { hasProblem, type Problems, problemsUnder } from './problems.ts'
import { fromItem, fromPuck, pathOf } from './puck-data.ts'
import type { CanvasWork } from './use-canvas-work.ts'
import styles from './visual-editor.module.css'

/** Its fields are first wanted when a block is chosen. */
const BlockForm = lazy(() => import('./block-form.tsx').then((form) => ({ default: form.BlockForm })))
const usePuck = createUsePuck()
const tabs = ['block', 'add', 'all'] as const
type Tab = (typeof tabs)[number]

/** Beside the canvas: the form of the chosen block, the blocks that can be added, and all that stand on the page. */
export function VisualPanel(props: { work: CanvasWork; locale: Locale; problems: Problems }) {
  const { work } = props
  const t = useText()
  const [tab, setTab] = useState<Tab>('add')
  const chosen = work.chosen?.props.id as string | undefined
  // Who chooses a block on the canvas wants to change it.
  useEffect(() => {
    if (chosen) setTab((before) => (before === 'all' ? before : 'block'))
  }, [chosen])
  return (
    <div className={styles.panel}>
      <div className={styles.tabs}>
        {tabs.map((one) => (
          <button key={one} type="button" aria-pressed={one === tab} onClick={() => setTab(one)}>
            {t(`blocks.visual.tabs.${one}`)}
          </button>
        ))}
      </div>
      <div className={styles.panelBody}>
        {tab === 'block' && <ChosenBlock {...props} />}
        {tab === 'add' && <NewBlocks work={work} />}
        {tab === 'all' && <AllBlocks {...props} onChange={() => setTab('block')} />}
      </div>
    </div>
  )
}

function ChosenBlock({ work, locale, problems }: { work: CanvasWork; locale: Locale; problems: Problems }) {
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
        <h3>{blockName(block.type, spoken)}</h3>
        <ActionsOf id={id} name={blockName(block.type, spoken)} work={work} />
      </div>
      <Suspense fallback={<Waiting />}>
        <BlockForm
          key={id}
          block={block}
          // Puck knows it by its own id, which may be longer than the one that is stored.
          onChange={(changed) => work.change({ ...changed, id })}
          problems={own ? { ...below, '': own } : below}
          locale={locale}
        />
      </Suspense>
    </>
  )
}

function NewBlocks({ work }: { work: CanvasWork }) {
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
            <Drawer.Item key={type} name={type} label={blockName(type, spoken)}>
              {() => (
                // The name is what is dragged: a button would not let itself be.
                <div className={styles.type}>
                  {blockName(type, spoken)}
                  <ActionIcon
                    aria-label={t('blocks.visual.addOne', { name: blockName(type, spoken) })}
                    onClick={() => work.add(type)}
                  >
                    <Plus size={18} aria-hidden />
                  </ActionIcon>
                </div>
              )}
            </Drawer.Item>
          ))}
        </Drawer>
      </div>
      <Button variant="subtle" leftSection={<ClipboardPaste size={18} aria-hidden />} onClick={() => void work.paste()}>
        {t('blocks.paste')}
      </Button>
    </>
  )
}

/** Every block by its name, for who wants an overview or has no mouse. */
function AllBlocks(props: { work: CanvasWork; locale: Locale; problems: Problems; onChange: () => void }) {
  const { work, locale, problems, onChange } = props
  const t = useText()
  const content = usePuck((puck) => puck.appState.data.content)
  if (content.length === 0) return <p className={forms.quiet}>{t('blocks.visual.none')}</p>
  return (
    <ol className={styles.all}>
      <Items items={content as ComponentData[]} at="" {...{ work, locale, problems, onChange }} />
    </ol>
  )
}

function Items(props: {
  items: ComponentData[]
  at: string
  work: CanvasWork
  locale: Locale
  problems: Problems
  onChange: () => void
}) {
  const { items, at, work, locale, problems, onChange } = props
  const t = useText()
  const spoken = useLocale()
  return items.map((item, index) => {
    const id = item.props.id as string
    const name = blockName(item.type, spoken)
    const chosen = work.chosen?.props.id === id
    const columns = (item.type === 'columns' ? item.props.columns : []) as { blocks: ComponentData[] }[]
    return (
      <li key={id} data-wrong={hasProblem(problems, at + index) || undefined}>
        <div className={styles.item} data-chosen={chosen || undefined}>
          <button
            type="button"
            aria-current={chosen || undefined}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete Enter"
            onFocus={() => work.choose(id)}
            onClick={onChange}
            onKeyDown={(event) => keyed(event, id, work)}
          >
            <strong>{name}</strong>
            <span dir={direction[locale]} lang={locale}>
              {summaryOf(fromItem(item))}
            </span>
            {hasProblem(problems, at + index) && <em>{t('blocks.problem')}</em>}
          </button>
          {chosen && <ActionsOf id={id} name={name} work={work} />}
        </div>
        {columns.map((column, place) => (
          <ol
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={place}
          >
            <Items {...props} items={column.blocks} at={`${at}${index}.columns.${place}.blocks.`} />
          </ol>
        ))}
      </li>
    )
  })
}

function ActionsOf({ id, name, work }: { id: string; name: string; work: CanvasWork }) {
  return (
    <ListActions
      name={name}
      onUp={() => work.move(id, -1)}
      onDown={() => work.move(id, 1)}
      onCopy={() => void work.copy(id)}
      onDuplicate={() => work.duplicate(id)}
      onDelete={() => work.remove(id)}
    />
  )
}

function keyed(event: KeyboardEvent, id: string, work: CanvasWork): void {
  const command = event.ctrlKey || event.metaKey
  if (event.altKey && event.key === 'ArrowUp') work.move(id, -1)
  else if (event.altKey && event.key === 'ArrowDown') work.move(id, 1)
  else if (event.key === 'Delete') work.remove(id)
  else if (command && event.key.toLowerCase() === 'd') work.duplicate(id)
  else return
  event.preventDefault()
}
