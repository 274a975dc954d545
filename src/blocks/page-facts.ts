import type { StoredBlock } from '../contract/site-config.ts'
import { type Sheet, sheets } from './define-block.ts'
import { type AnyBlock, blocks } from './registry.ts'

/** Whether a page brings its own main heading, so that the page need not put one above it. */
export function bringsHeading(body: readonly StoredBlock[]): boolean {
  return everyBlock(body).some(
    (block) => block.type === 'hero' || (block.type === 'content' && block.selector === 'h1'),
  )
}

/** Every question with its answer, in the order of the page. */
export function questionsOf(body: readonly StoredBlock[]): { question: string; answer: string }[] {
  return (body as readonly AnyBlock[]).flatMap((block) => (block.type === 'faq' ? block.items : []))
}

/** The parts of the stylesheet that a page needs, each once and always in the same order. */
export function sheetsOf(body: readonly StoredBlock[]): Sheet[] {
  const needed = new Set<Sheet>(everyBlock(body).flatMap(({ type }) => blocks[type].sheets ?? ['prose']))
  // What is no section of its own stands between margins that are those of text.
  if ((body as readonly AnyBlock[]).some(({ type }) => !blocks[type].band)) needed.add('prose')
  if (!bringsHeading(body)) needed.add('prose')
  return sheets.filter((sheet) => needed.has(sheet))
}

/** The blocks of a page with those that stand in them. */
export function everyBlock(body: readonly StoredBlock[]): AnyBlock[] {
  return (body as readonly AnyBlock[]).flatMap((block) =>
    block.type === 'columns' ? [block, ...block.columns.flatMap((column) => everyBlock(column.blocks))] : [block],
  )
}
