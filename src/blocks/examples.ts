import type { StoredBlock } from '../contract/site-config.ts'
import { everyBlock } from './page-facts.ts'
import { type BlockType, blocks } from './registry.ts'

type Values = Record<string, unknown>

/** The blocks of a page, those in blocks too, that still say what stood in them when they were added. */
export function blocksWithExamples(body: readonly StoredBlock[]): StoredBlock[] {
  known ??= examples()
  return everyBlock(body).filter((block) =>
    pathsOf(block.type).some((path) => wordsAt(block, path).some((words) => known?.get(block.type + path)?.has(words))),
  )
}

/** By type and path, in every language: a page may be begun with a copy of the other one's text. */
let known: ReadonlyMap<string, ReadonlySet<string>> | undefined

function examples() {
  const added = Object.entries(blocks).flatMap(([type, { defaults }]) =>
    Object.values(defaults).map((values) => ({ type, ...values }) as StoredBlock),
  )
  const found = new Map<string, Set<string>>()
  // What stands in the columns of a new block is an example too.
  for (const block of everyBlock(added)) {
    for (const path of pathsOf(block.type)) {
      const key = block.type + path
      found.set(key, new Set([...(found.get(key) ?? []), ...wordsAt(block, path)]))
    }
  }
  return found
}

const pathsOf = (type: string): readonly string[] => {
  const block: { examples?: readonly string[] } | undefined = blocks[type as BlockType]
  return block?.examples ?? []
}

/** The words at a path, however many entries of lists it leads through; of html only its words. */
function wordsAt(block: StoredBlock, path: string): string[] {
  const found = path
    .split('.')
    .reduce<unknown[]>((holders, name) => holders.flatMap((holder) => (holder as Values)[name] ?? []), [block])
  return found.map((text) =>
    String(text)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}
