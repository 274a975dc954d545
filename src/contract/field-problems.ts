import type { z } from 'zod'
import { type FieldProblem, type ValidationKey, validationKeys } from './errors.ts'

/** The maximum number of problems in a response: a body can have a hundred thousand invalid fields. */
const defaultMaxProblems = 20
const pathChars = 200

/** The problems that a schema found, one per path. */
export function fieldProblems(error: z.core.$ZodError, maxProblems = defaultMaxProblems): FieldProblem[] {
  const found = new Map<string, FieldProblem>()
  for (const issue of error.issues) {
    for (const one of issueProblems(issue, maxProblems)) {
      if (found.size < maxProblems && !found.has(one.path)) found.set(one.path, one)
    }
  }
  return [...found.values()]
}

function issueProblems(issue: z.core.$ZodIssue, maxProblems: number): FieldProblem[] {
  const at = (path: readonly PropertyKey[]) => path.map(String).join('.').slice(0, pathChars)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, maxProblems).map((key) => ({ path: at([...issue.path, key]), key: 'unknownField' }))
  }
  const path = at(issue.path)
  // The message is the key itself, except for two keys that need a number.
  if (isValidationKey(issue.message) && issue.message !== 'tooLong' && issue.message !== 'tooMany') {
    const ofList = issue.code === 'too_big' && issue.origin === 'array' ? issue.maximum : undefined
    const limit = issue.code === 'custom' ? issue.params?.limit : ofList
    return [{ path, key: issue.message, ...(typeof limit === 'number' && { limit }) }]
  }
  if (issue.code === 'too_big' && issue.origin !== 'number' && issue.origin !== 'int') {
    return [{ path, key: issue.origin === 'array' ? 'tooMany' : 'tooLong', limit: Number(issue.maximum) }]
  }
  return [{ path, ...keyOf(issue) }]
}

function keyOf(issue: z.core.$ZodIssue): { key: ValidationKey; limit?: number } {
  if (issue.message === 'tooLong' || issue.message === 'tooMany') return { key: issue.message }
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

/** Whether the message of a schema is a key; Zod's own messages are sentences. */
export const isValidationKey = (text: string): text is ValidationKey =>
  (validationKeys as readonly string[]).includes(text)
