import { createContext } from 'react'

/** The title that stands above the blocks when none of them brings a heading; else empty. */
export const PageHead = createContext('')
