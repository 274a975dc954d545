import { useContext } from 'react'
import { useText } from '../../i18n.ts'
import { useSaveAsSection } from '../sections/use-save-as-section.tsx'
import { ActionMenu, type MenuAction } from './action-menu.tsx'
import { LocksContext } from './block-locks.ts'
import { storedId } from './puck-data.ts'
import type { CanvasActions } from './use-canvas-actions.ts'

/** The menu of actions for one item of a list. Without a function an action is missing, or shown as not possible. */
export function ListActions(props: {
  name: string
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onCopy?: (() => void) | undefined
  onDuplicate?: (() => void) | undefined
  /** Saves the item, or it and some after it, as a section. */
  onSaveAsSection?: (() => void) | undefined
  /** Opens the dialog to lock the item for roles. */
  onLock?: (() => void) | undefined
  onDelete: (() => void) | undefined
  /** Whether the item cannot be moved: then the actions to move it are left out. */
  fixed?: boolean
  /** Whether the keys of blocks work on the item. */
  keys?: boolean
}) {
  const {
    name,
    onUp,
    onDown,
    onCopy,
    onDuplicate,
    onSaveAsSection,
    onLock,
    onDelete,
    fixed = false,
    keys = false,
  } = props
  const t = useText()
  const key = (text: string) => (keys ? { keys: text } : {})
  const actions: MenuAction[] = [
    ...(fixed
      ? []
      : [
          { label: t('blocks.actions.up'), run: onUp, ...key('Alt+↑') },
          { label: t('blocks.actions.down'), run: onDown, ...key('Alt+↓') },
        ]),
    ...(onDuplicate ? [{ label: t('blocks.actions.duplicate'), run: onDuplicate, ...key('Ctrl+D') }] : []),
    ...(onCopy ? [{ label: t('blocks.actions.copy'), run: onCopy, ...key('Ctrl+C') }] : []),
    ...(onSaveAsSection ? [{ label: t('blocks.sections.saveAs'), run: onSaveAsSection }] : []),
    ...(onLock ? [{ label: t('blocks.lock.menu'), run: onLock }] : []),
    ...(onDelete ? [{ label: t('blocks.actions.delete'), run: onDelete, danger: true, ...key('Delete') }] : []),
  ]
  return <ActionMenu label={t('blocks.actions.of', { name })} actions={actions} />
}

/**
 * The actions for a block in the panel beside the canvas.
 * @param props.locked only its texts and images can be changed
 */
export function BlockActions(props: { id: string; name: string; work: CanvasActions; locked: boolean }) {
  const { id, name, work, locked } = props
  const { onLock } = useContext(LocksContext)
  const stored = storedId(id)
  const isInColumn = work.isInColumn(id)
  const saving = useSaveAsSection(() => ({
    blocks: work.from(id),
    locale: work.locale,
    onReplace: locked || isInColumn ? undefined : (count, block) => work.replace(id, count, [block]),
  }))
  return (
    <>
      <ListActions
        name={name}
        fixed={locked}
        onUp={() => work.move(id, -1)}
        onDown={() => work.move(id, 1)}
        onCopy={() => void work.copy(id)}
        onDuplicate={locked ? undefined : () => work.duplicate(id)}
        onSaveAsSection={saving.open}
        onLock={onLock && !isInColumn ? () => onLock(stored) : undefined}
        onDelete={locked ? undefined : () => work.remove(id)}
        keys
      />
      {saving.dialog}
    </>
  )
}
