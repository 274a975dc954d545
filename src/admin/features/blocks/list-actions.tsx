import { ActionIcon } from '@mantine/core'
import { ArrowDown, ArrowUp, ClipboardCopy, CopyPlus, Trash2 } from 'lucide-react'
import { useText } from '../../i18n.ts'
import styles from './blocks.module.css'
import type { CanvasActions } from './use-canvas-actions.ts'

/** The actions for one item of a list. The focus stays on a move button while the item moves. */
export function ListActions(props: {
  name: string
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onCopy?: (() => void) | undefined
  onDuplicate?: (() => void) | undefined
  onDelete: (() => void) | undefined
}) {
  const { name, onUp, onDown, onCopy, onDuplicate, onDelete } = props
  const t = useText()
  return (
    <div className={styles.actions}>
      <ActionIcon
        aria-label={t('blocks.up', { name })}
        aria-disabled={!onUp}
        data-disabled={!onUp || undefined}
        onClick={onUp}
      >
        <ArrowUp size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={t('blocks.down', { name })}
        aria-disabled={!onDown}
        data-disabled={!onDown || undefined}
        onClick={onDown}
      >
        <ArrowDown size={18} aria-hidden />
      </ActionIcon>
      {onCopy && (
        <ActionIcon aria-label={t('blocks.copy', { name })} onClick={onCopy}>
          <ClipboardCopy size={18} aria-hidden />
        </ActionIcon>
      )}
      {onDuplicate && (
        <ActionIcon aria-label={t('blocks.duplicate', { name })} onClick={onDuplicate}>
          <CopyPlus size={18} aria-hidden />
        </ActionIcon>
      )}
      {onDelete && (
        <ActionIcon color="red" aria-label={t('blocks.delete', { name })} onClick={onDelete}>
          <Trash2 size={18} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

/** Moves one item of a list to another index. */
export const moved = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))

/** The actions for a block in the panel beside the canvas. */
export function BlockActions({ id, name, work }: { id: string; name: string; work: CanvasActions }) {
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
