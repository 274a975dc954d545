import { createContext } from 'react'

/** The element above the page for the toolbar of the rich text that is being edited; null until it is mounted. */
export const TextToolsContext = createContext<HTMLElement | null>(null)

/** What the editor needs of the screen around it. */
export interface EditorScreenFrame {
  /** The element into which the editor renders its tools; null until it is mounted. */
  bar: HTMLElement | null
  /** Closes the settings of the page or section, which may cover the fields of a block. */
  closeSettings: () => void
  /** Selects a block and shows its fields. @param field the name of the field to focus, which only the list supports */
  selectBlock: SelectBlock
  /** The canvas or the list of blocks registers its `selectBlock` here, and undefined when it unmounts. */
  registerSelectBlock: (selectBlock: SelectBlock | undefined) => void
}
type SelectBlock = (blockId: string, field?: string) => void

export const EditorFrameContext = createContext<EditorScreenFrame>({
  bar: null,
  closeSettings() {},
  selectBlock() {},
  registerSelectBlock() {},
})
