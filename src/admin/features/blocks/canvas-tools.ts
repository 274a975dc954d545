import { createContext } from 'react'

/** The element above the page for the tools of the text that is being typed. */
export const CanvasTools = createContext<HTMLElement | null>(null)

/** The screen around the editor: the place for its tools in the bar, and what makes room for the fields of a block. */
export const EditorFrame = createContext<{ bar: HTMLElement | null; makeRoom: () => void }>({
  bar: null,
  makeRoom() {},
})
