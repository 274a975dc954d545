import type { z } from 'zod'
import { type FieldProblem, type ValidationKey, validationKeys } from './errors.ts'
import { keyOfWanted } from './wanted.ts'

/** How many problems an answer names at most: a body can hold a hundred thousand wrong fields. */
const usuallyMost = 20
const pathChars = 100

/** What a schema found wrong, one problem for each place. */
export function fieldProblems(error: z.core.$ZodError, most = usuallyMost): FieldProblem[] {
  const found = new Map<string, FieldProblem>()
  for (const issue of error.issues) {
    for (const one of issueProblems(issue, most)) {
      if (found.size < most && !found.has(one.path)) found.set(one.path, one)
    }
  }
  return [...found.values()]
}

function issueProblems(issue: z.core.$ZodIssue, most: number): FieldProblem[] {
  const at = (path: readonly PropertyKey[]) => path.map(String).join('.').slice(0, pathChars)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, most).map((key) => ({ path: at([...issue.path, key]), key: 'unknownField' }))
  }
  const path = at(issue.path)
  const told = keyOfWanted(issue.message)
  if (told) return [{ path, key: told }]
  if (issue.code === 'too_big' && issue.origin !== 'number' && issue.origin !== 'int') {
    return [{ path, key: issue.origin === 'array' ? 'tooMany' : 'tooLong', limit: Number(issue.maximum) }]
  }
  return [{ path, ...keyOf(issue) }]
}

function keyOf(issue: z.core.$ZodIssue): { key: ValidationKey; limit?: number } {
  if (isValidationKey(issue.message)) return { key: issue.message }
  if (issue.code === 'too_big') return { key: 'numberMost', limit: Number(issue.maximum) }
  if (issue.code === 'too_small') {
    return issue.origin === 'number' || issue.origin === 'int'
      ? { key: 'numberLeast', limit: Number(issue.minimum) }
      : { key: 'required' }
  }
  if (issue.code === 'invalid_format' && issue.format === 'email') return { key: 'email' }
  if (issue.code === 'invalid_format' && issue.format === 'url') return { key: 'url' }
  return { key: issue.code === 'invalid_type' && issue.expected === 'string' ? 'type' : 'value' }
}

const isValidationKey = (text: string): text is ValidationKey => (validationKeys as readonly string[]).includes(text)
