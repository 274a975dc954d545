import { type BlockType, blockSchema } from '../../../blocks/registry.ts'
import { randomId } from '../../../contract/random-id.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'

/** Holds copied blocks where the browser denies clipboard access. */
const storageKey = 'etalage.blocks'
const mostBlocks = 200

/** Blocks as text that any tab of the admin can parse. */
export const serializeBlocks = (blocks: readonly StoredBlock[]): string => JSON.stringify({ etalage: 'blocks', blocks })

/** Copies blocks to the clipboard and to local storage. */
export async function copyBlocks(blocks: readonly StoredBlock[]): Promise<void> {
  const text = serializeBlocks(blocks)
  store(text)
  // Without https or permission the blocks are in local storage only.
  await navigator.clipboard?.writeText(text).catch(() => {})
}

/** The copied blocks that are allowed here, with new ids. */
export async function readCopiedBlocks(types?: readonly BlockType[]): Promise<StoredBlock[]> {
  const text = await navigator.clipboard?.readText().catch(() => undefined)
  return parseBlocks(text ?? readStored() ?? '', types)
}

/** Parses blocks from any text. Invalid blocks and types that are not allowed here are left out. */
export function parseBlocks(text: string, types?: readonly BlockType[]): StoredBlock[] {
  const found = parsed(text)
  if (found?.etalage !== 'blocks' || !Array.isArray(found.blocks)) return []
  return found.blocks.slice(0, mostBlocks).flatMap((one: unknown) => {
    const { data } = blockSchema.safeParse(one)
    return data && (!types || types.includes(data.type)) ? [withNewIds(data)] : []
  })
}

/** Gives a copied block and its nested blocks new ids. */
export function withNewIds(block: StoredBlock): StoredBlock {
  const inner = Object.fromEntries(Object.entries(block).map(([name, value]) => [name, renewed(value)]))
  return { ...inner, type: block.type, id: randomId() }
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
