import { createContext } from 'react'

/** The element above the page for the tools of the text that is being typed. */
export const CanvasTools = createContext<HTMLElement | null>(null)

/** The screen around the editor. */
export interface EditorScreenFrame {
  /** The element that holds the editor's tools. */
  bar: HTMLElement | null
  /** Closes the settings of the page or section, which may cover the fields of a block. */
  closeSettings: () => void
  /** Selects a block and shows its fields. @param field the name of the one to focus, if the editor supports that */
  selectBlock: SelectBlock
  /** The canvas or the list of blocks registers its `selectBlock` here; undefined when it unmounts. */
  registerSelectBlock: (selectBlock: SelectBlock | undefined) => void
}
type SelectBlock = (block: string, field?: string) => void

export const EditorFrame = createContext<EditorScreenFrame>({
  bar: null,
  closeSettings() {},
  selectBlock() {},
  registerSelectBlock() {},
})
