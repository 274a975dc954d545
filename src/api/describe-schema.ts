import { z } from 'zod'

/** A JSON Schema, as OpenAPI 3.1 takes them. */
export interface JsonSchema {
  [keyword: string]: unknown
}

export const schemaAt = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/**
 * Puts schemas in the words of a description. One with a name (`.meta({ id })`) stands once under `named`, and
 * everything else points at it.
 */
export function createDescriber() {
  const named: Record<string, JsonSchema> = {}

  /** @param io `input` for what is sent to us, `output` for what we send */
  const describe = (schema: unknown, io: 'input' | 'output'): JsonSchema => {
    if (!isZod(schema)) return schema as JsonSchema
    const { $schema, $defs, ...made } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, io),
    }) as JsonSchema
    for (const [name, one] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      const pointing = pointed(one) as JsonSchema
      const known = named[name]
      if (known && JSON.stringify(known) !== JSON.stringify(pointing)) {
        throw new Error(`Two schemas are called ${name}`)
      }
      named[name] = pointing
    }
    return pointed(made) as JsonSchema
  }
  return { describe, named }
}

const isZod = (schema: unknown): schema is z.ZodType =>
  typeof schema === 'object' && schema !== null && '_zod' in schema

/** Leaves out what says nothing to a reader: the bounds of every safe integer, the pattern behind a format. */
function tidy(schema: JsonSchema, io: 'input' | 'output'): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format !== undefined) delete schema.pattern
  // An answer may get more fields in time.
  if (io === 'output') delete schema.additionalProperties
  delete schema.id
}

/** The same with its pointers turned to where the named ones stand. */
function pointed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) =>
      key === '$ref' && typeof one === 'string'
        ? [key, one.replace('#/$defs/', '#/components/schemas/')]
        : [key, pointed(one)],
    ),
  )
}
