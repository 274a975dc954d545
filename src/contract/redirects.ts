import { z } from 'zod'
import { limits } from './limits.ts'
import { counter, listQuery } from './list.ts'
import { author, instant } from './pages.ts'
import { singleLine } from './text.ts'

/** A redirect, or an address that is gone. `from` and `to` are as in the address bar, with the language prefix. */
export const redirect = z
  .object({
    id: z.int(),
    from: z.string(),
    /** Null: the address responds with 410 (Gone). */
    to: z.string().nullable(),
    /** Whether it was added automatically when the slug of a page changed. */
    automatic: z.boolean(),
    version: z.int(),
    createdAt: instant,
    by: author,
  })
  .meta({ id: 'Redirect' })
export type Redirect = z.infer<typeof redirect>
export const redirectSorts = ['createdAt', 'from'] as const
export const redirectQuery = listQuery(redirectSorts)
export type RedirectQuery = z.infer<typeof redirectQuery>
/** `to` may also be an https URL; null: the address is gone for good. */
export const newRedirect = z
  .strictObject({ from: singleLine(limits.redirectFromChars), to: singleLine(limits.redirectToChars).nullable() })
  .meta({ id: 'NewRedirect' })
export type NewRedirect = z.infer<typeof newRedirect>
export const changedRedirect = newRedirect.extend({ version: counter.optional() }).meta({ id: 'ChangedRedirect' })
export type ChangedRedirect = z.infer<typeof changedRedirect>
