import { z } from 'zod'
import { limits } from './limits.ts'

/** What every list takes: `?page=2&pageSize=50&sort=-createdAt&search=roya`. */
export const listQuery = <const Sort extends string>(sorts: readonly Sort[]) =>
  z.strictObject({
    page: z.coerce.number<string>().int().min(1).max(1_000_000).default(1),
    pageSize: z.coerce.number<string>().int().min(1).max(limits.pageSizeMost).default(limits.pageSizeUsual),
    /** A field's name; with a minus before it the largest come first. */
    sort: z.enum(both(sorts)).optional(),
    search: z.string().max(limits.searchChars).optional(),
  })

type Sorts<Sort extends string> = [Sort | `-${Sort}`, ...(Sort | `-${Sort}`)[]]
const both = <Sort extends string>(sorts: readonly Sort[]) =>
  [...sorts, ...sorts.map((sort) => `-${sort}` as const)] as Sorts<Sort>

const listMeta = z
  .object({
    page: z.int(),
    pageSize: z.int(),
    total: z.int(),
    /** There when there are more than `total`: a search that finds thousands is not counted to its end. */
    more: z.literal(true).optional(),
  })
  .meta({ id: 'ListMeta' })

/** What every list gives. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), meta: listMeta })

export interface ListOf<Item> {
  data: Item[]
  meta: z.infer<typeof listMeta>
}

/** A list in `?roleId=2&roleId=3`: one value comes as itself. */
export const several = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(100).optional(),
  )

/** No table counts further. */
const mostCounted = 2_147_483_647
/** The number of a row. */
export const rowId = z.int().positive().max(mostCounted)
/** The same in a query. */
export const rowIdText = z.coerce.number<string>().int().positive().max(mostCounted)

/** What counts saves: a version, a number of a draft. */
export const counter = z.int().min(0).max(mostCounted)
/** The same in a query. */
export const counterText = z.coerce.number<string>().int().min(0).max(mostCounted)

/** A number in an address, like `/users/12`. */
export const idParameter = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
})
