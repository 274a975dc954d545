import { createContext } from 'react'

/** The element above the page for the tools of the text that is being typed. */
export const CanvasTools = createContext<HTMLElement | null>(null)

/** The screen around the editor. */
export interface EditorScreenFrame {
  /** The element that holds the editor's tools. */
  bar: HTMLElement | null
  /** Closes what covers the fields of a block. */
  makeRoom: () => void
  /** Selects a block and shows its fields. @param field the name of the one to fill in, where the editor can lead to it */
  choose: ChooseBlock
  /** Called by the canvas or the list of blocks, with undefined when it goes. */
  setChoose: (choose: ChooseBlock | undefined) => void
}
type ChooseBlock = (block: string, field?: string) => void

export const EditorFrame = createContext<EditorScreenFrame>({ bar: null, makeRoom() {}, choose() {}, setChoose() {} })
