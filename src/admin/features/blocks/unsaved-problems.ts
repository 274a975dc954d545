import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { blockSchema } from '../../../blocks/registry.ts'
import type { FieldProblem } from '../../../contract/errors.ts'
import { fieldProblems } from '../../../contract/field-problems.ts'
import { numberFormat } from '../../../contract/intl-formats.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { noProblems, type Problems, problemsAfterChange, problemsUnder } from './problems.ts'
import { valueAt } from './renderable-block.ts'

/** Long enough to type the next character of a URL, which is wrong until it is complete. */
const pauseMs = 600

/**
 * Adds the errors that saving would give to those of the last save, once nothing was typed for a moment. A value that
 * is merely still empty has none.
 */
export function useUnsavedProblems(blocks: readonly StoredBlock[], problems: Problems): Problems {
  const t = useText()
  const locale = useLocale()
  const [settled] = useDebouncedValue(blocks, pauseMs)
  const settledProblems = useMemo(() => problemsOf(settled, t, locale), [settled, t, locale])
  return useMemo(() => {
    const unsaved = problemsUnder(problemsAfterChange(settledProblems, 'body', settled, blocks), 'body')
    return unsaved === noProblems ? problems : { ...unsaved, ...problems }
  }, [settledProblems, settled, blocks, problems])
}

/** The errors of the blocks by path, such as `body.3.items.0.url`. */
function problemsOf(blocks: readonly StoredBlock[], t: TFunction, locale: Locale): Problems {
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
