import { z } from 'zod'
import { hasJsonBody, isPublic, isZod, type RouteDefinition } from '../http/api.ts'
import { problemSchema } from '../http/problem.ts'

/** The OpenAPI 3.1 document of the API. */
export interface ApiDocument {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; description?: string; content: Content }
  responses: Record<string, { description: string; content?: Content; headers?: Record<string, unknown> }>
}

export interface Parameter {
  name: string
  in: 'query' | 'path'
  required: boolean
  schema: JsonSchema
}
type Content = Record<string, { schema: JsonSchema }>

/** A route as it was passed to `defineRoute`. */
export interface Route extends RouteDefinition {
  summary?: string
  description?: string
  operationId?: string
  request?: {
    params?: unknown
    query?: unknown
    body?: { required?: boolean; description?: string; content: Record<string, { schema: unknown }> }
  }
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>
}

/** The tags; `segments` are the first segments of the paths that get the tag. */
const tags = [
  { name: 'Contact', description: 'Messages to the company.', segments: ['contact', 'forms', 'checks'] },
  {
    name: 'Sign-in',
    description: 'Signing in and out, and the signed-in user.',
    segments: ['login', 'logout', 'confirm', 'me'],
  },
  { name: 'Profile', description: 'The account of the signed-in user.', segments: ['profile', 'dashboard'] },
  { name: 'Users', description: 'Accounts, and the emails about them.', segments: ['users', 'notification'] },
  { name: 'Messages', description: 'Contact messages, and the replies to them.', segments: ['messages'] },
  {
    name: 'Mail',
    description: 'The outbox, previews of emails, and the mail server.',
    segments: ['outbox', 'mail-server'],
  },
  { name: 'Privacy', description: 'All personal data of one email address.', segments: ['privacy'] },
  { name: 'Roles', description: 'Roles and their rights.', segments: ['roles', 'rights'] },
  { name: 'Files', description: 'Uploads: images, documents and other files.', segments: ['files'] },
  {
    name: 'Pages',
    description: 'Pages in each language, with their revisions.',
    segments: ['scene', 'pages', 'links', 'redirects', 'sections', 'collections'],
  },
  {
    name: 'Configuration',
    description: 'The configuration of the site: brand, prices, colours, menus.',
    segments: ['health', 'config'],
  },
  {
    name: 'Backups',
    description: 'Backups of the whole site, and when they are made.',
    segments: ['backups'],
  },
  { name: 'Audit', description: 'The audit log.', segments: ['audit'] },
]

const description = `The API of the website and its admin area.

Dates are ISO 8601 in UTC, ids are integers. Every refusal is \`application/problem+json\` (RFC 9457) in the language of
\`Accept-Language\`, Dutch, Persian or English; its \`code\` is permanent. Lists take \`page\`, \`pageSize\`, \`sort\` (a field, with a minus before it
for descending order) and \`search\`. Unknown fields and parameters are refused.

A session is a cookie that \`POST /login\` sets. Behind https its name begins with \`__Secure-\`. A write that a browser sends from
another site is refused with 403. A request with the header \`X-User-Id\` is answered as without a session when the session is that of
another user.`

/** @param routes in the order of their registration */
export function buildApiDocument(routes: readonly Route[]): ApiDocument {
  const { describe, named } = createSchemaConverter()
  const refusal: Content = { 'application/problem+json': { schema: describe(problemSchema, 'output') } }
  const paths: ApiDocument['paths'] = {}
  for (const route of routes) {
    const operations = paths[route.path] ?? {}
    paths[route.path] = operations
    operations[route.method] = operationOf(route, describe, refusal)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Etalage',
      version: '1.0.0',
      description,
      contact: { name: 'The operator of this website' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api', description: 'This website' }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    security: [{ session: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'etalage.session_token',
          description: 'Set by `POST /login`; behind https its name begins with `__Secure-`.',
        },
      },
    },
  }
}

type Describe = ReturnType<typeof createSchemaConverter>['describe']

function operationOf(route: Route, describe: Describe, refusal: Content): Operation {
  const { method, path, request, summary } = route
  const [, segment = ''] = path.split('/')
  const tag = tags.find(({ segments }) => segments.includes(segment))?.name
  if (!summary || !tag) throw new Error(`${method} ${path} lacks a summary, or its first part a tag`)
  const parameters = [
    ...parametersOf('path', request?.params, describe),
    ...parametersOf('query', request?.query, describe),
  ]
  return {
    operationId: route.operationId ?? operationId(method, path),
    tags: [tag],
    summary,
    description: [route.description ?? `${summary}.`, ...requirements(route)].join('\n\n'),
    ...(isPublic(route) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(request?.body && {
      requestBody: {
        required: request.body.required ?? false,
        ...(request.body.description && { description: request.body.description }),
        content: contentOf(request.body.content, describe, 'input'),
      },
    }),
    responses: responsesOf(route, describe, refusal),
  }
}

/** `get /users/{id}` becomes `getUsersById`. */
function operationId(method: string, path: string): string {
  const words = path
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[/-]/)
    .filter(Boolean)
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The sentence about who may call the route; none for a public route. */
function requirements({ signedIn, anyRight, allRights }: Route): string[] {
  if (signedIn) return ['For every signed-in user.']
  const names = (anyRight ?? allRights ?? []).map((right) => `\`${right}\``).join(', ')
  if (allRights) return [`Needs all of the rights ${names}.`]
  if (!anyRight) return []
  return [anyRight.length === 1 ? `Needs the right ${names}.` : `Needs one of the rights ${names}.`]
}

function parametersOf(where: Parameter['in'], schema: unknown, describe: Describe): Parameter[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = describe(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    // An id in a URL is validated as text, so that each number has one spelling.
    schema: where === 'path' && property.pattern === '^[1-9]\\d{0,8}$' ? { type: 'integer', minimum: 1 } : property,
  }))
}

const contentOf = (content: Record<string, { schema: unknown }>, describe: Describe, io: 'input' | 'output'): Content =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema: describe(schema, io) }]))

/** The responses that the route declares, and the refusals that `createApi` and `defineRoute` add. */
function responsesOf(route: Route, describe: Describe, refusal: Content): Operation['responses'] {
  const refused = (text: string) => ({ description: text, content: refusal })
  const { request, responses, anyRight, allRights } = route
  const withBody = hasJsonBody(route)
  const added = {
    ...(withBody && {
      400: refused('The body cannot be read: it is not JSON, or repeats a key'),
      413: refused('The body is too large'),
      415: refused('The body is not JSON'),
    }),
    ...((withBody || request?.query !== undefined) && { 422: refused('Fields are invalid; each is named') }),
    ...(request?.params !== undefined && { 404: refused('There is nothing with this id') }),
    ...(!isPublic(route) && { 401: refused('Not signed in') }),
    ...((anyRight || allRights) && { 403: refused('The right is missing') }),
  }
  const declared = Object.entries(responses).map(([status, { description: text, content }]) => [
    status,
    {
      description: text,
      ...(content && {
        content: 'application/problem+json' in content ? refusal : contentOf(content, describe, 'output'),
      }),
      ...(status === '429' && { headers: retryAfter }),
    },
  ])
  return {
    ...added,
    ...Object.fromEntries(declared),
    default: refused('Any other refusal: a write from another site, or an unexpected error'),
  }
}

const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } }

/** A JSON Schema in the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** Converts Zod schemas. One with a name (`.meta({ id })`) is defined once, in `named`, and referenced everywhere else. */
function createSchemaConverter() {
  const named: Record<string, JsonSchema> = {}

  /** @param io `input` for requests, `output` for responses */
  const describe = (schema: unknown, io: 'input' | 'output'): JsonSchema => {
    if (!isZod(schema)) return schema as JsonSchema
    const { $schema, $defs, ...converted } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => simplify(jsonSchema as JsonSchema, io),
    }) as JsonSchema
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      const referenced = withComponentRefs(definition) as JsonSchema
      const existing = named[name]
      if (existing && JSON.stringify(existing) !== JSON.stringify(referenced)) {
        throw new Error(`Two schemas are called ${name}`)
      }
      named[name] = referenced
    }
    return withComponentRefs(converted) as JsonSchema
  }
  return { describe, named }
}

/** Removes noise for a reader, in place: the bounds of every safe integer, the pattern behind a format. */
function simplify(schema: JsonSchema, io: 'input' | 'output'): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format !== undefined) delete schema.pattern
  // Responses may get more fields in later versions.
  if (io === 'output') delete schema.additionalProperties
  delete schema.id
}

/** The same schema with its references rewritten to `components/schemas`. */
function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) =>
      key === '$ref' && typeof member === 'string'
        ? [key, member.replace('#/$defs/', '#/components/schemas/')]
        : [key, withComponentRefs(member)],
    ),
  )
}
