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
import { problemSchema, respondToError } from './problem.ts'
import { refreshActor } from './session.ts'

export type { Env }

/**
 * A group of API routes. A query or body that fails its schema is refused with 422, a path parameter with 404; every
 * refusal is sent as `application/problem+json`.
 * @param unexpectedCode the code that the client gets for an unexpected error
 */
export function createApi(unexpectedCode: RefusalCode = 'unexpected') {
  const api = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return
      // Nothing is stored under an id that fails its schema.
      if (result.target === 'param') throw new Refusal('not_found')
      throw new Refusal('invalid', { problems: fieldProblems(result.error) })
    },
  })
  api.onError((error, c) => respondToError(error, c, unexpectedCode))
  return api
}

/**
 * A route definition whose middleware checks the rights of the user, before anything of the request is read, and reads
 * a JSON body, see `readJson`. The use case checks the rights again. A route without `signedIn` or rights is public.
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
  /** The user must be signed in, and needs no right. */
  signedIn?: true
  /** The user needs at least one of these rights. */
  anyRight?: readonly Right[]
  /** The user needs all of these rights. */
  allRights?: readonly Right[]
  request?: { body?: { content: Record<string, { schema: unknown }> } }
}

export const isPublic = ({ signedIn, anyRight, allRights }: RouteDefinition): boolean =>
  !signedIn && !anyRight && !allRights

/** Whether the middleware of `defineRoute` reads the body. */
export const hasJsonBody = (route: RouteDefinition): boolean =>
  isZod(route.request?.body?.content['application/json']?.schema)

/** The bodies that `defineRoute` reads have a Zod schema; contact messages, which `readContact` reads, a plain JSON Schema. */
export const isZod = (schema: unknown): schema is z.ZodType =>
  typeof schema === 'object' && schema !== null && '_zod' in schema

function routeMiddleware(route: RouteDefinition): MiddlewareHandler<Env>[] {
  const maxBodyBytes = isPublic(route) ? limits.publicBodyBytes : limits.apiBodyBytes
  return [
    ...(isPublic(route) ? [] : [requireRights(route)]),
    ...(hasJsonBody(route) ? [readJsonBody(maxBodyBytes)] : []),
  ]
}

const requireRights =
  ({ anyRight = [], allRights }: RouteDefinition): MiddlewareHandler<Env> =>
  async (c, next) => {
    allow(c.var.ctx, allRights ? (actor) => holdsAll(actor, allRights) : anyRight)
    await next()
  }

const readJsonBody =
  (maxBytes: number): MiddlewareHandler<Env> =>
  async (c, next) => {
    const text = await readJson(c.req.raw, maxBytes)
    // The body of a request can be read once: the validator of the route reads this copy.
    c.req.raw = new Request(c.req.raw, { body: text })
    await refreshActor(c)
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

/** Responds with 204 when `work` is done. */
export async function noContent(c: HonoContext<Env>, work: Promise<unknown>) {
  await work
  return c.body(null, 204)
}

/** Casts a response that the types of a route cannot express, such as the HTML page for a form without JavaScript. */
export const untypedResponse = (response: Response) => response as never

/** A JSON response that is encoded once. @param content the same object for each response; it must not change */
export function fixedJson<T extends object>(c: HonoContext<Env>, content: T): Response & TypedResponse<T, 200, 'json'> {
  const bytes = encoded.get(content) ?? new TextEncoder().encode(JSON.stringify(content))
  encoded.set(content, bytes)
  const response: Response = c.body(bytes, 200, { 'Content-Type': 'application/json' })
  return response as Response & TypedResponse<T, 200, 'json'>
}

const encoded = new WeakMap<object, Uint8Array<ArrayBuffer>>()

/** A response with problem details in a route definition. */
export const refusalResponse = (description: string) => ({
  content: { 'application/problem+json': { schema: problemSchema } },
  description,
})

export const staleResponse = refusalResponse('Somebody else saved meanwhile; `current` is the saved state')

/** The responses of an export as CSV. */
export const csvResponses = {
  200: { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } },
  403: refusalResponse('The right is missing, or the password must be confirmed first (`password_needed`)'),
} as const
