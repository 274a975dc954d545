import type { Compilable, CompiledQuery, QueryExecutor } from 'kysely'
import type { Db } from './tables/index.ts'

type Value = string | number

/**
 * A query for hot paths. It is built and compiled at its first use and not for each request, because that takes longer
 * than running it. A list of values, for `in`, is filled up to a power of two, so that there are few different queries.
 * @param build the query; instead of values it gets parameters, which it passes to the query builder as they are
 */
export function compiledQuery<Values extends Record<string, Value | readonly Value[]>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  /** By kind of database, and by the lengths of the lists. */
  const compiled = new Map<QueryExecutor['adapter']['constructor'], Map<string, CompiledQuery<Row>>>()
  return async (db, values) => {
    const kind = db.getExecutor().adapter.constructor
    const queries = compiled.get(kind) ?? new Map<string, CompiledQuery<Row>>()
    compiled.set(kind, queries)
    const lengths = Object.values(values).map(filledLength).join()
    const query = queries.get(lengths) ?? build(db, parametersOf(values)).compile()
    queries.set(lengths, query)
    const parameters = query.parameters.map((one) => (one instanceof Parameter ? one.valueIn(values) : one))
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

class Parameter {
  readonly #name: string
  readonly #index: number

  constructor(name: string, index = 0) {
    this.#name = name
    this.#index = index
  }

  /** Beyond the end of a list its last value is repeated. */
  valueIn(values: Record<string, Value | readonly Value[]>): Value | undefined {
    const value = values[this.#name]
    return isList(value) ? value[Math.min(this.#index, value.length - 1)] : value
  }
}

const isList = (value: Value | readonly Value[] | undefined): value is readonly Value[] => Array.isArray(value)

const filledLength = (value: Value | readonly Value[]): number =>
  isList(value) ? 2 ** Math.ceil(Math.log2(value.length)) : 0

/** The cast: the query builder does not read values. */
const parametersOf = <Values extends Record<string, Value | readonly Value[]>>(values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isList(value)
        ? Array.from({ length: filledLength(value) }, (_, index) => new Parameter(name, index))
        : new Parameter(name),
    ]),
  ) as unknown as Values
