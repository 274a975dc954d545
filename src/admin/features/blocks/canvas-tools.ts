import { createContext } from 'react'

/** The element above the page for the tools of the text that is being typed. */
export const CanvasTools = createContext<HTMLElement | null>(null)

/** The screen around the editor. */
export interface EditorScreenFrame {
  /** The place for the editor's tools. */
  bar: HTMLElement | null
  /** Closes what covers the fields of a block. */
  makeRoom: () => void
  /** Selects a block of the canvas and shows its fields. */
  choose: (block: string) => void
  /** Called by the canvas, with undefined when it goes. */
  setChoose: (choose: ((block: string) => void) | undefined) => void
}

export const EditorFrame = createContext<EditorScreenFrame>({ bar: null, makeRoom() {}, choose() {}, setChoose() {} })
