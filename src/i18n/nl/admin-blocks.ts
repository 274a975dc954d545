import { blocks } from './admin/blocks.ts'

/** The texts of the forms of blocks, which the browser loads with the first screen that has some. */
export const adminBlocks = { blocks }
