import { z } from 'zod'

/** A JSON Schema in the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** Converts Zod schemas. One with a name (`.meta({ id })`) is defined once under `named`, and referenced everywhere else. */
export function createSchemaConverter() {
  const named: Record<string, JsonSchema> = {}

  /** @param io `input` for requests, `output` for responses */
  const describe = (schema: unknown, io: 'input' | 'output'): JsonSchema => {
    if (!isZod(schema)) return schema as JsonSchema
    const { $schema, $defs, ...made } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => simplify(jsonSchema as JsonSchema, io),
    }) as JsonSchema
    for (const [name, one] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      const referenced = withComponentRefs(one) as JsonSchema
      const known = named[name]
      if (known && JSON.stringify(known) !== JSON.stringify(referenced)) {
        throw new Error(`Two schemas are called ${name}`)
      }
      named[name] = referenced
    }
    return withComponentRefs(made) as JsonSchema
  }
  return { describe, named }
}

const isZod = (schema: unknown): schema is z.ZodType =>
  typeof schema === 'object' && schema !== null && '_zod' in schema

/** Removes noise for a reader: the bounds of every safe integer, the pattern behind a format. */
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
    Object.entries(value).map(([key, one]) =>
      key === '$ref' && typeof one === 'string'
        ? [key, one.replace('#/$defs/', '#/components/schemas/')]
        : [key, withComponentRefs(one)],
    ),
  )
}
