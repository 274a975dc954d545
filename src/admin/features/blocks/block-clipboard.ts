import { type BlockType, blockSchema } from '../../../blocks/registry.ts'
import { randomId } from '../../../contract/random-id.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'

/** The key in local storage of the copied blocks, for browsers that deny access to the clipboard. */
const storageKey = 'etalage.blocks'
const maxPastedBlocks = 200

/** Blocks as text for `parseBlocks`: JSON with a mark that tells it from other text on the clipboard. */
export const serializeBlocks = (blocks: readonly StoredBlock[]): string => JSON.stringify({ etalage: 'blocks', blocks })

/** Copies blocks to the clipboard and to local storage. */
export async function copyBlocks(blocks: readonly StoredBlock[]): Promise<void> {
  const text = serializeBlocks(blocks)
  store(text)
  // Without https or permission the blocks are in local storage only.
  await navigator.clipboard?.writeText(text).catch(() => {})
}

/**
 * The blocks of these types on the clipboard, or in local storage where the browser denies access to the clipboard,
 * with new ids.
 */
export async function readCopiedBlocks(types?: readonly BlockType[]): Promise<StoredBlock[]> {
  const text = await navigator.clipboard?.readText().catch(() => undefined)
  return parseBlocks(text ?? readStored() ?? '', types)
}

/** Parses blocks from any text, and gives them new ids. Invalid blocks and those of other types are left out. */
export function parseBlocks(text: string, types?: readonly BlockType[]): StoredBlock[] {
  const copied = parseJson(text)
  if (copied?.etalage !== 'blocks' || !Array.isArray(copied.blocks)) return []
  return copied.blocks.slice(0, maxPastedBlocks).flatMap((block: unknown) => {
    const { data } = blockSchema.safeParse(block)
    return data && (!types || types.includes(data.type)) ? [withNewIds(data)] : []
  })
}

/** A copy of a block in which it and its nested blocks have new ids. */
export function withNewIds(block: StoredBlock): StoredBlock {
  const values = Object.fromEntries(Object.entries(block).map(([name, value]) => [name, withNewNestedIds(value)]))
  return { ...values, type: block.type, id: randomId() }
}

function withNewNestedIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (isBlock(item) ? withNewIds(item) : withNewNestedIds(item)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNewNestedIds(inner)]))
}

const isBlock = (value: unknown): value is StoredBlock =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Undefined for text that is not JSON. */
function parseJson(text: string): { etalage?: unknown; blocks?: unknown[] } | undefined {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

function store(text: string): void {
  try {
    localStorage.setItem(storageKey, text)
  } catch {
    // Storage is full or disabled: the blocks are on the clipboard only.
  }
}

function readStored(): string | undefined {
  try {
    return localStorage.getItem(storageKey) ?? undefined
  } catch {
    return undefined
  }
}
