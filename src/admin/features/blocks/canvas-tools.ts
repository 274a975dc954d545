import { createContext } from 'react'

/** The element above the page for the tools of the text that is being typed. */
export const CanvasTools = createContext<HTMLElement | null>(null)
