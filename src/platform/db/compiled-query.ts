import type { Compilable, CompiledQuery, QueryExecutor } from 'kysely'
import type { Db } from './tables/index.ts'

type Value = string | number

/**
 * A query for hot paths: it is compiled at its first use only, because compiling takes longer than running it. A list
 * of values, for `in`, is padded to a power of two, so that there are few different queries.
 * @param build builds the query; it receives placeholders, and must pass them to the query builder unchanged
 */
export function compiledQuery<Values extends Record<string, Value | readonly Value[]>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  /** By the adapter of the database, then by the padded lengths of the lists. */
  const compiled = new Map<QueryExecutor['adapter']['constructor'], Map<string, CompiledQuery<Row>>>()
  return async (db, values) => {
    const adapter = db.getExecutor().adapter.constructor
    const queries = compiled.get(adapter) ?? new Map<string, CompiledQuery<Row>>()
    compiled.set(adapter, queries)
    const lengths = Object.values(values).map(paddedLength).join()
    const query = queries.get(lengths) ?? build(db, placeholdersFor(values)).compile()
    queries.set(lengths, query)
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? value.valueIn(values) : value))
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

/** Stands for a value, or for the item at an index of a list of values. */
class Placeholder {
  readonly #name: string
  readonly #index: number

  constructor(name: string, index = 0) {
    this.#name = name
    this.#index = index
  }

  /** Beyond the end of a list, its last value is repeated. */
  valueIn(values: Record<string, Value | readonly Value[]>): Value | undefined {
    const value = values[this.#name]
    return isList(value) ? value[Math.min(this.#index, value.length - 1)] : value
  }
}

const isList = (value: Value | readonly Value[] | undefined): value is readonly Value[] => Array.isArray(value)

const paddedLength = (value: Value | readonly Value[]): number =>
  isList(value) ? 2 ** Math.ceil(Math.log2(value.length)) : 0

/** The cast works because the query builder does not read values. */
const placeholdersFor = <Values extends Record<string, Value | readonly Value[]>>(values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isList(value)
        ? Array.from({ length: paddedLength(value) }, (_, index) => new Placeholder(name, index))
        : new Placeholder(name),
    ]),
  ) as unknown as Values
