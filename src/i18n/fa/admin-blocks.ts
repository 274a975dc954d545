import type { adminBlocks as dutch } from '../nl/admin-blocks.ts'
import type { Texts } from '../nl/index.ts'
import { blocks } from './admin/blocks.ts'

export const adminBlocks: Texts<typeof dutch> = { blocks }
