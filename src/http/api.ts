import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { Refusal, type RefusalCode } from '../contract/errors.ts'
import { fieldProblems } from '../contract/field-problems.ts'
import { limits } from '../contract/limits.ts'
import { holdsAll, type Right } from '../contract/rights.ts'
import { allow } from '../domain/allow.ts'
import { readJson } from './body.ts'
import type { Env } from './env.ts'
import { answerProblem, problem } from './problem.ts'

export type { Env }

/**
 * A group of API routes: what its schemas refuse is 422, and every refusal is answered as `application/problem+json`.
 * Who may not call a route is told so before anything of the call is read: `rights` of a route names the rights of which
 * one is wanted, none for whoever is signed in; left out, the route is for everyone. The verb behind it asks again.
 * A JSON body is read whole, within its limit, as JSON and nothing else.
 * @param failure what an unexpected error is called to the client
 */
export function createApi(failure: RefusalCode = 'unexpected') {
  const api = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return
      // An address that nothing can have is one that nothing has.
      if (result.target === 'param') throw new Refusal('not_found')
      throw new Refusal('invalid', { problems: fieldProblems(result.error) })
    },
  })
  const register = api.openapi
  api.openapi = ((route: Described, ...rest: [never, never]) => {
    const own = [route.middleware ?? []].flat()
    return register({ ...route, middleware: [...before(route), ...own] } as never, ...rest)
  }) as typeof register
  api.onError((error, c) => answerProblem(error, c, failure))
  return api
}

/** What this file looks at in a route's description. */
export interface Described {
  method: string
  path: string
  rights?: readonly Right[]
  /** All of `rights` are wanted, not one of them. */
  allRights?: boolean
  middleware?: MiddlewareHandler<Env> | MiddlewareHandler<Env>[]
  request?: { body?: { content: Record<string, { schema: unknown }> } }
}

export const takesJson = (route: Described): boolean => isZod(route.request?.body?.content['application/json']?.schema)

/** Contact messages are described by a plain JSON Schema, for they are read otherwise. */
const isZod = (schema: unknown): schema is z.ZodType =>
  typeof schema === 'object' && schema !== null && '_zod' in schema

function before(route: Described): MiddlewareHandler<Env>[] {
  const { rights, allRights = false } = route
  return [
    ...(rights ? [gate(rights, allRights)] : []),
    ...(takesJson(route) ? [jsonBody(rights ? limits.apiBodyBytes : limits.openBodyBytes)] : []),
  ]
}

const gate =
  (rights: readonly Right[], all: boolean): MiddlewareHandler<Env> =>
  async (c, next) => {
    allow(c.var.ctx, all ? (actor) => holdsAll(actor, rights) : rights)
    await next()
  }

const jsonBody =
  (maxBytes: number): MiddlewareHandler<Env> =>
  async (c, next) => {
    const text = await readJson(c.req.raw, maxBytes)
    // Hono asks its own memory before it reads a body.
    c.req.bodyCache.text = Promise.resolve(text) as never
    await next()
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
