import { newBlockId } from '../../../blocks/fields.ts'
import { type BlockType, blockSchema } from '../../../blocks/registry.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'

/** Where copied blocks lie for a browser that keeps its clipboard to itself. */
const storageKey = 'etalage.blocks'
const mostBlocks = 200

/** Blocks as a text that any tab of this program knows again. */
export const asText = (blocks: readonly StoredBlock[]): string => JSON.stringify({ etalage: 'blocks', blocks })

/** Puts blocks where another page or tab finds them. */
export async function copyBlocks(blocks: readonly StoredBlock[]): Promise<void> {
  const text = asText(blocks)
  keep(text)
  // Refused without a secure address or without leave: then the other place has them.
  await navigator.clipboard?.writeText(text).catch(() => {})
}

/** What was copied, as far as it may stand here; new blocks, with ids of their own. */
export async function copiedBlocks(types?: readonly BlockType[]): Promise<StoredBlock[]> {
  const text = await navigator.clipboard?.readText().catch(() => undefined)
  return readBlocks(text ?? kept() ?? '', types)
}

/** The blocks in a text from anywhere: what the schema refuses, or may not stand here, is left out. */
export function readBlocks(text: string, types?: readonly BlockType[]): StoredBlock[] {
  const found = parsed(text)
  if (found?.etalage !== 'blocks' || !Array.isArray(found.blocks)) return []
  return found.blocks.slice(0, mostBlocks).flatMap((one: unknown) => {
    const { data } = blockSchema.safeParse(one)
    return data && (!types || types.includes(data.type)) ? [withNewIds(data)] : []
  })
}

/** A copy of a block is another block, and so are those in it. */
export function withNewIds(block: StoredBlock): StoredBlock {
  const inner = Object.fromEntries(Object.entries(block).map(([name, value]) => [name, renewed(value)]))
  return { ...inner, type: block.type, id: newBlockId() }
}

function renewed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => (isBlock(one) ? withNewIds(one) : renewed(one)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renewed(one)]))
}

const isBlock = (value: unknown): value is StoredBlock =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function parsed(text: string): { etalage?: unknown; blocks?: unknown[] } | undefined {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

function keep(text: string): void {
  try {
    localStorage.setItem(storageKey, text)
  } catch {
    // Full, or switched off: the clipboard alone has them.
  }
}

function kept(): string | undefined {
  try {
    return localStorage.getItem(storageKey) ?? undefined
  } catch {
    return undefined
  }
}
