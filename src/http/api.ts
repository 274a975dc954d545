import { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import { Refusal, type RefusalCode } from '../contract/errors.ts'
import type { Env } from './env.ts'
import { answerProblem, fieldProblems, problem } from './problem.ts'

export type { Env }

/**
 * A group of API routes: what its schemas refuse is 422, and every refusal is answered as `application/problem+json`.
 * @param failure what an unexpected error is called to the client
 */
export function createApi(failure: RefusalCode = 'unexpected') {
  const api = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new Refusal('invalid', { problems: fieldProblems(result.error) })
    },
  })
  api.onError((error, c) => answerProblem(error, c, failure))
  return api
}

/** A JSON answer or body of a route's description. */
export const json = <T extends z.ZodType>(schema: T, description: string) => ({
  content: { 'application/json': { schema } },
  description,
})

/** A refusal in a route's description. */
export const refused = (description: string) => ({
  content: { 'application/problem+json': { schema: problem } },
  description,
})
