import { blockSchema } from '../../blocks/registry.ts'
import type { MergedPage } from '../../contract/merge-page.ts'
import { pageBody } from '../../contract/page-body.ts'
import type { DraftText } from '../../contract/pages.ts'

const body = pageBody(blockSchema)

/**
 * What was joined without a collision, by the rules that each of the two keeps by itself: together they can be too much
 * for a block or for the page. What does not fit collides as a whole, and mine stands in the text.
 */
export function judgeJoined(from: Record<'base' | 'mine' | 'theirs', DraftText>, text: DraftText): MergedPage {
  const read = body.safeParse(text.body)
  if (read.success) return { text, conflicts: [] }
  const places = [...new Set(read.error.issues.map(({ path }) => path[0]))]
  const ids = places.map((place) => (typeof place === 'number' ? text.body[place]?.id : undefined))
  if (!ids.every((id) => typeof id === 'string')) {
    const [base, mine, theirs] = [from.base.body, from.mine.body, from.theirs.body]
    return { text: { ...text, body: mine }, conflicts: [{ field: 'body', block: null, base, mine, theirs }] }
  }
  const conflicts = ids.map((id) => {
    const inside = ({ body }: DraftText) => body.find((block) => block.id === id) ?? null
    return { field: 'body', block: id, base: inside(from.base), mine: inside(from.mine), theirs: inside(from.theirs) }
  })
  const own = new Map(conflicts.map(({ block, mine }) => [block, mine]))
  return {
    text: { ...text, body: text.body.map((block) => own.get(String(block.id)) ?? block) },
    conflicts,
  }
}
