import { ListActions } from './list-actions.tsx'
import type { CanvasWork } from './use-canvas-work.ts'

/** What can be done with a block beside the canvas. */
export function BlockActions({ id, name, work }: { id: string; name: string; work: CanvasWork }) {
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
