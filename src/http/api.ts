import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { Context as HonoContext, MiddlewareHandler, TypedResponse } from 'hono'
import type { z } from 'zod'
import { Refusal, type RefusalCode } from '../contract/errors.ts'
import { fieldProblems } from '../contract/field-problems.ts'
import { limits } from '../contract/limits.ts'
import { holdsAll, type Right } from '../contract/rights.ts'
import { allow } from '../domain/allow.ts'
import { readJson } from './body.ts'
import type { Env } from './env.ts'
import { problem, respondToError } from './problem.ts'

export type { Env }

/**
 * A group of API routes. A request that fails its schema is refused with 422; every refusal is sent as
 * `application/problem+json`.
 * @param failure the code that the client gets for an unexpected error
 */
export function createApi(failure: RefusalCode = 'unexpected') {
  const api = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return
      // No stored thing has an id that fails its schema.
      if (result.target === 'param') throw new Refusal('not_found')
      throw new Refusal('invalid', { problems: fieldProblems(result.error) })
    },
  })
  api.onError((error, c) => respondToError(error, c, failure))
  return api
}

/**
 * A route with the checks that run before its handler. Authorisation comes before anything of the request is read:
 * `rights` lists the rights of which the user needs one, an empty list admits every signed-in user, and a route without it
 * is public. The use case checks again. A JSON body is read whole, within its size limit, and with a JSON content type
 * only.
 */
export function defineRoute<
  Method extends RouteConfig['method'],
  Path extends string,
  Route extends Omit<RouteConfig & RouteDefinition, 'method' | 'path' | 'middleware'> & { middleware?: never },
>(method: Method, path: Path, route: Route) {
  const created = createRoute<Path, Route & { method: Method; path: Path }>({ ...route, method, path })
  return Object.assign(created, { middleware: routeMiddleware(created) })
}

/** The fields of a route definition that this file reads. */
export interface RouteDefinition {
  method: string
  path: string
  rights?: readonly Right[]
  /** The user needs all of `rights`, not one of them. */
  allRights?: boolean
  request?: { body?: { content: Record<string, { schema: unknown }> } }
}

export const hasJsonBody = (route: RouteDefinition): boolean =>
  isZod(route.request?.body?.content['application/json']?.schema)

/** The bodies that `defineRoute` reads have a Zod schema; contact messages, which `readContact` reads, a plain JSON Schema. */
export const isZod = (schema: unknown): schema is z.ZodType =>
  typeof schema === 'object' && schema !== null && '_zod' in schema

function routeMiddleware(route: RouteDefinition): MiddlewareHandler<Env>[] {
  const { rights, allRights = false } = route
  return [
    ...(rights ? [requireRights(rights, allRights)] : []),
    ...(hasJsonBody(route) ? [readJsonBody(rights ? limits.apiBodyBytes : limits.publicBodyBytes)] : []),
  ]
}

const requireRights =
  (rights: readonly Right[], all: boolean): MiddlewareHandler<Env> =>
  async (c, next) => {
    allow(c.var.ctx, all ? (actor) => holdsAll(actor, rights) : rights)
    await next()
  }

const readJsonBody =
  (maxBytes: number): MiddlewareHandler<Env> =>
  async (c, next) => {
    const text = await readJson(c.req.raw, maxBytes)
    // The body of a request can be read once: the validator of the route reads this copy.
    c.req.raw = new Request(c.req.raw, { body: text })
    await next()
  }

/** A JSON response in a route definition. */
export const json = <T extends z.ZodType>(schema: T, description: string) => ({
  content: { 'application/json': { schema } },
  description,
})

/** A required JSON request body in a route definition. */
export const jsonBody = <T extends z.ZodType>(schema: T, description: string) => ({
  required: true as const,
  ...json(schema, description),
})

/** Answers 204 once something was done. */
export async function noContent(c: HonoContext<Env>, done: Promise<unknown>) {
  await done
  return c.body(null, 204)
}

/** A response that the types of a route cannot express, such as the page that a form without JavaScript gets beside JSON. */
export const untyped = (response: Response) => response as never

/** A response whose content never changes: it is encoded once. @param content the same object for each response */
export function fixedJson<T extends object>(c: HonoContext<Env>, content: T): Response & TypedResponse<T, 200, 'json'> {
  const bytes = encoded.get(content) ?? new TextEncoder().encode(JSON.stringify(content))
  encoded.set(content, bytes)
  const response: Response = c.body(bytes, 200, { 'Content-Type': 'application/json' })
  return response as Response & TypedResponse<T, 200, 'json'>
}

const encoded = new WeakMap<object, Uint8Array<ArrayBuffer>>()

/** A refusal in a route definition. */
export const refusalResponse = (description: string) => ({
  content: { 'application/problem+json': { schema: problem } },
  description,
})

export const staleResponse = refusalResponse('Somebody else saved meanwhile; `current` is the saved state')

/** The responses of an export. */
export const csvResponses = {
  200: { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } },
  403: refusalResponse('The right is missing, or the password must be confirmed first (`password_needed`)'),
} as const
