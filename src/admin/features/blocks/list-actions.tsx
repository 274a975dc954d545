import { useText } from '../../i18n.ts'
import { useKeepSection } from '../sections/use-keep-section.tsx'
import { ActionMenu, type MenuAction } from './action-menu.tsx'
import type { CanvasActions } from './use-canvas-actions.ts'

/** The menu of actions for one item of a list. Without a function an action is missing, or shown as not possible. */
export function ListActions(props: {
  name: string
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onCopy?: (() => void) | undefined
  onDuplicate?: (() => void) | undefined
  /** Keeps the item and those after it as a section. */
  onKeep?: (() => void) | undefined
  onDelete: (() => void) | undefined
  /** Whether the keys of blocks work on the item. */
  keys?: boolean
}) {
  const { name, onUp, onDown, onCopy, onDuplicate, onKeep, onDelete, keys = false } = props
  const t = useText()
  const key = (text: string) => (keys ? { keys: text } : {})
  const actions: MenuAction[] = [
    { label: t('blocks.actions.up'), run: onUp, ...key('Alt+↑') },
    { label: t('blocks.actions.down'), run: onDown, ...key('Alt+↓') },
    ...(onDuplicate ? [{ label: t('blocks.actions.duplicate'), run: onDuplicate, ...key('Ctrl+D') }] : []),
    ...(onCopy ? [{ label: t('blocks.actions.copy'), run: onCopy, ...key('Ctrl+C') }] : []),
    ...(onKeep ? [{ label: t('blocks.sections.keep'), run: onKeep }] : []),
    ...(onDelete ? [{ label: t('blocks.actions.delete'), run: onDelete, danger: true, ...key('Delete') }] : []),
  ]
  return <ActionMenu label={t('blocks.actions.of', { name })} actions={actions} />
}

/** Moves one item of a list to another index. */
export const moved = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))

/** The actions for a block in the panel beside the canvas. */
export function BlockActions({ id, name, work }: { id: string; name: string; work: CanvasActions }) {
  const keeping = useKeepSection(() => ({
    blocks: work.from(id),
    locale: work.locale,
    onReplace: work.isInColumn(id) ? undefined : (count, block) => work.replace(id, count, [block]),
  }))
  return (
    <>
      <ListActions
        name={name}
        onUp={() => work.move(id, -1)}
        onDown={() => work.move(id, 1)}
        onCopy={() => void work.copy(id)}
        onDuplicate={() => work.duplicate(id)}
        onKeep={keeping.open}
        onDelete={() => work.remove(id)}
        keys
      />
      {keeping.dialog}
    </>
  )
}
