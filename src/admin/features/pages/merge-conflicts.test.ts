import { expect, test } from 'vitest'
import { mergePage } from '../../../contract/merge-page.ts'
import type { DraftText } from '../../../contract/pages.ts'
import { isOrder, isWholeBlock, resolveConflicts, type Side } from './merge-conflicts.tsx'

const text = (title: string, body: DraftText['body']): DraftText => ({
  title,
  slug: 'over-ons',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body,
})
const cta = (id: string, title: string) => ({ type: 'cta', id, title })
const chosen = (base: DraftText, mine: DraftText, theirs: DraftText, ...choices: Side[]) => {
  const merged = mergePage(base, mine, theirs)
  expect(merged.conflicts).toHaveLength(choices.length)
  return resolveConflicts(merged.text, merged.conflicts, choices)
}

test('each conflict is resolved separately: a field of the page, a field of a block', () => {
  const base = text('Over ons', [cta('a', 'Bel'), cta('b', 'Mail')])
  const mine = text('Over mij', [cta('a', 'Bel mij'), cta('b', 'Mail')])
  const theirs = text('Over hen', [cta('a', 'Bel hen'), cta('b', 'Mail hen')])
  expect(chosen(base, mine, theirs, 'mine', 'theirs')).toEqual(
    text('Over mij', [cta('a', 'Bel hen'), cta('b', 'Mail hen')]),
  )
  expect(chosen(base, mine, theirs, 'theirs', 'mine')).toEqual(
    text('Over hen', [cta('a', 'Bel mij'), cta('b', 'Mail hen')]),
  )
})

test('a block that one side deleted and the other changed is kept or removed as chosen, also inside another block', () => {
  const inside = (...blocks: object[]) => text('Over ons', [{ type: 'columns', id: 'k', columns: [{ blocks }] }])
  const base = inside(cta('a', 'Bel'), cta('b', 'Mail'))
  const mine = inside(cta('b', 'Mail'))
  const theirs = inside(cta('a', 'Bel nu'), cta('b', 'Mail'))
  expect(mergePage(base, mine, theirs).conflicts.map(isWholeBlock)).toEqual([true])
  expect(chosen(base, mine, theirs, 'mine')).toEqual(mine)
  expect(chosen(base, mine, theirs, 'theirs')).toEqual(theirs)
  expect(chosen(base, theirs, mine, 'mine')).toEqual(theirs)
  expect(chosen(base, theirs, mine, 'theirs')).toEqual(mine)
})

test('one of two orders is chosen, and blocks that were added stay', () => {
  const [a, b, c] = [cta('a', 'A'), cta('b', 'B'), cta('c', 'C')]
  const base = text('Over ons', [a, b, c])
  const mine = text('Over ons', [b, a, c, cta('n', 'Nieuw')])
  const theirs = text('Over ons', [c, a, b])
  const merged = mergePage(base, mine, theirs)
  expect(merged.conflicts.map(isOrder)).toEqual([true])
  const order = (side: Side) => resolveConflicts(merged.text, merged.conflicts, [side]).body.map(({ id }) => id)
  expect(order('mine').filter((id) => id !== 'n')).toEqual(['b', 'a', 'c'])
  expect(order('theirs').filter((id) => id !== 'n')).toEqual(['c', 'a', 'b'])
  expect(order('theirs')).toContain('n')
})
