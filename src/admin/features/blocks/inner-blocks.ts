import { type ComponentType, createContext } from 'react'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import type { Problems } from './problems.ts'

/** What draws the blocks in a block: the outline gives itself; without one they are changed where they are seen. */
export const InnerBlocks = createContext<
  | ComponentType<{
      value: readonly StoredBlock[]
      onChange: (value: StoredBlock[]) => void
      locale: Locale
      problems: Problems
      types: readonly BlockType[]
      most: number
      label: string
    }>
  | undefined
>(undefined)
