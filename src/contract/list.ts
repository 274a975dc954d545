import { z } from 'zod'
import { limits } from './limits.ts'

/** The query parameters of every list: `?page=2&pageSize=50&sort=-createdAt&search=roya`. */
export const listQuery = <const Sort extends string>(sorts: readonly Sort[]) =>
  z.strictObject({
    page: z.coerce.number<string>().int().min(1).max(1_000_000).default(1),
    pageSize: z.coerce.number<string>().int().min(1).max(limits.pageSizeMax).default(limits.pageSizeDefault),
    /** A field name; a leading minus sorts descending. */
    sort: z.enum(bothDirections(sorts)).optional(),
    search: z.string().max(limits.searchChars).optional(),
  })

type Sorts<Sort extends string> = [Sort | `-${Sort}`, ...(Sort | `-${Sort}`)[]]
const bothDirections = <Sort extends string>(sorts: readonly Sort[]) =>
  [...sorts, ...sorts.map((sort) => `-${sort}` as const)] as Sorts<Sort>

const listMeta = z
  .object({
    page: z.int(),
    pageSize: z.int(),
    total: z.int(),
    /** Present when there are more rows than `total`: large results are not counted completely. */
    more: z.literal(true).optional(),
  })
  .meta({ id: 'ListMeta' })

/** The response of every list. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), meta: listMeta })

export interface ListOf<Item> {
  data: Item[]
  meta: z.infer<typeof listMeta>
}

/** The `OFFSET` and `LIMIT` of a page, for a query. */
export const rangeOf = ({ page, pageSize }: { page: number; pageSize: number }) => ({
  offset: (page - 1) * pageSize,
  limit: pageSize,
})

/** Builds the response of a list. `more`: there are more rows than `total`, so the count is incomplete. */
export const toListOf = <Item>(
  data: Item[],
  { page, pageSize }: { page: number; pageSize: number },
  { total, more }: { total: number; more: boolean },
): ListOf<Item> => ({ data, meta: { page, pageSize, total, ...(more && { more: true as const }) } })

/** A repeated query parameter, `?roleId=2&roleId=3`; a single value arrives as a string. */
export const repeatedQuery = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(100).optional(),
  )

/** The largest value of a 32-bit integer column. */
export const counterMax = 2_147_483_647
export const rowId = z.int().positive().max(counterMax)
/** A row id in a query string. */
export const rowIdText = z.coerce.number<string>().int().positive().max(counterMax)

/** A version or revision number. */
export const counter = z.int().min(0).max(counterMax)
/** A version or revision number in a query string. */
export const counterText = z.coerce.number<string>().int().min(0).max(counterMax)

/** An id in a path, such as `/users/12`. */
export const idParameter = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
})
