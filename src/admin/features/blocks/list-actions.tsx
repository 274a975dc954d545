import { useContext } from 'react'
import { useText } from '../../i18n.ts'
import { useSaveAsSection } from '../sections/use-save-as-section.tsx'
import { ActionMenu, type MenuAction } from './action-menu.tsx'
import { LocksContext } from './block-locks.ts'
import { storedId } from './puck-data.ts'
import type { CanvasActions } from './use-canvas-actions.ts'

/** The menu of actions for one item. Without its function, moving is disabled and another action is left out. */
export function ListActions(props: {
  name: string
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onCopy?: (() => void) | undefined
  onDuplicate?: (() => void) | undefined
  /** Opens the dialog to save the item, alone or with some that follow it, as a section. */
  onSaveAsSection?: (() => void) | undefined
  /** Opens the dialog to lock the item for roles. */
  onLock?: (() => void) | undefined
  onDelete: (() => void) | undefined
  /** Whether the item cannot be moved: then the actions to move it are left out. */
  fixed?: boolean
  /** Whether to show the shortcuts of blocks, because they work on the item. */
  hasShortcuts?: boolean
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
    hasShortcuts = false,
  } = props
  const t = useText()
  const shortcut = (keys: string) => (hasShortcuts ? { keys } : {})
  const actions: MenuAction[] = [
    ...(fixed
      ? []
      : [
          { label: t('blocks.actions.up'), run: onUp, ...shortcut('Alt+↑') },
          { label: t('blocks.actions.down'), run: onDown, ...shortcut('Alt+↓') },
        ]),
    ...(onDuplicate ? [{ label: t('blocks.actions.duplicate'), run: onDuplicate, ...shortcut('Ctrl+D') }] : []),
    ...(onCopy ? [{ label: t('blocks.actions.copy'), run: onCopy, ...shortcut('Ctrl+C') }] : []),
    ...(onSaveAsSection ? [{ label: t('blocks.sections.saveAs'), run: onSaveAsSection }] : []),
    ...(onLock ? [{ label: t('blocks.lock.menu'), run: onLock }] : []),
    ...(onDelete ? [{ label: t('blocks.actions.delete'), run: onDelete, danger: true, ...shortcut('Delete') }] : []),
  ]
  return <ActionMenu label={t('blocks.actions.of', { name })} actions={actions} />
}

/**
 * The menu of actions for a block, in the panels beside the canvas.
 * @param props.locked whether only the block's texts and images can be changed
 */
export function BlockActions(props: { id: string; name: string; actions: CanvasActions; locked: boolean }) {
  const { id, name, actions, locked } = props
  const { onLock } = useContext(LocksContext)
  const isInColumn = actions.isInColumn(id)
  const saveAsSection = useSaveAsSection(() => ({
    blocks: actions.blocksFrom(id),
    locale: actions.locale,
    onReplace: locked || isInColumn ? undefined : (count, block) => actions.replace(id, count, [block]),
  }))
  return (
    <>
      <ListActions
        name={name}
        fixed={locked}
        onUp={() => actions.move(id, -1)}
        onDown={() => actions.move(id, 1)}
        onCopy={() => void actions.copy(id)}
        onDuplicate={locked ? undefined : () => actions.duplicate(id)}
        onSaveAsSection={saveAsSection.open}
        onLock={onLock && !isInColumn ? () => onLock(storedId(id)) : undefined}
        onDelete={locked ? undefined : () => actions.remove(id)}
        hasShortcuts
      />
      {saveAsSection.dialog}
    </>
  )
}
