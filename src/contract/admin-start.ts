import type { z } from 'zod'
import type { me } from './profile.ts'

export type Me = z.infer<typeof me>

/** What the server writes into the admin's page, so that its first screen need not ask for it. */
export interface AdminStart {
  me: Me
  brand: string
  logoUrl: string
  /** Ten shades of each colour, from light to dark; of `dark`, from text to ground. */
  shades: { brand: string[]; gray: string[]; dark: string[] }
}

/** The id of the element that holds it, as JSON. */
export const adminStartId = 'begin'

/** The cookie in which a browser keeps that its admin is always light, or always dark. */
export const schemeCookie = 'scheme'
