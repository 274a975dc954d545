import type { z } from 'zod'
import { type FieldProblem, type ValidationKey, validationKeys } from './errors.ts'

/** The maximum number of problems in a response: a body can have a hundred thousand invalid fields. */
const defaultMaxProblems = 20
const maxPathChars = 200

/** Converts the issues of a schema to problems: the first of each path. */
export function fieldProblems(error: z.core.$ZodError, maxProblems = defaultMaxProblems): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  for (const issue of error.issues) {
    for (const problem of issueProblems(issue, maxProblems)) {
      if (problems.size < maxProblems && !problems.has(problem.path)) problems.set(problem.path, problem)
    }
  }
  return [...problems.values()]
}

function issueProblems(issue: z.core.$ZodIssue, maxProblems: number): FieldProblem[] {
  const joinPath = (path: readonly PropertyKey[]) => path.map(String).join('.').slice(0, maxPathChars)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, maxProblems)
      .map((key) => ({ path: joinPath([...issue.path, key]), key: 'unknownField' }))
  }
  const path = joinPath(issue.path)
  // Our schemas give the key as the message. The two excluded keys need a number from the issue, below.
  if (isValidationKey(issue.message) && issue.message !== 'tooLong' && issue.message !== 'tooMany') {
    const maxItems = issue.code === 'too_big' && issue.origin === 'array' ? issue.maximum : undefined
    const limit = issue.code === 'custom' ? issue.params?.limit : maxItems
    return [{ path, key: issue.message, ...(typeof limit === 'number' && { limit }) }]
  }
  if (issue.code === 'too_big' && issue.origin !== 'number' && issue.origin !== 'int') {
    return [{ path, key: issue.origin === 'array' ? 'tooMany' : 'tooLong', limit: Number(issue.maximum) }]
  }
  return [{ path, ...problemOf(issue) }]
}

function problemOf(issue: z.core.$ZodIssue): { key: ValidationKey; limit?: number } {
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

/** Whether the message of an issue is one of our keys; Zod's own messages are sentences. */
export const isValidationKey = (text: string): text is ValidationKey =>
  (validationKeys as readonly string[]).includes(text)
