import { blockSchema } from '../../../blocks/registry.ts'
import type { FieldProblem } from '../../../contract/errors.ts'
import { fieldProblems } from '../../../contract/field-problems.ts'
import { numberFormat } from '../../../contract/intl-formats.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import type { TFunction } from '../../i18n.ts'
import { noProblems, type Problems } from './problems.ts'
import { valueAt } from './renderable-block.ts'

/**
 * The errors that saving the blocks would give, by path, such as `body.3.items.0.url`. A value that is merely still empty has
 * none.
 */
export function problemsOf(blocks: readonly StoredBlock[], t: TFunction, locale: Locale): Problems {
  const entries = blocks.flatMap((block, index) =>
    blockProblems(block).map(({ path, key, limit }) => {
      const values = limit === undefined ? undefined : { limit: numberFormat(locale).format(limit) }
      return [`body.${index}.${path}`, t(`validation.${key}`, values)]
    }),
  )
  return entries.length > 0 ? Object.fromEntries(entries) : noProblems
}

const cachedProblems = new WeakMap<StoredBlock, readonly FieldProblem[]>()

/** Cached per object, because a keystroke changes only one block of the page. */
function blockProblems(block: StoredBlock): readonly FieldProblem[] {
  let problems = cachedProblems.get(block)
  if (!problems) {
    const { error } = blockSchema.safeParse(block)
    problems = error ? fieldProblems(error).filter(({ path }) => !isEmpty(valueAt(block, path.split('.')))) : []
    cachedProblems.set(block, problems)
  }
  return problems
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
