import { contact } from './contact.ts'
import { errors } from './errors.ts'
import { mail } from './mail.ts'
import { site } from './site.ts'
import { validation } from './validation.ts'

export const nl = { contact, errors, mail, site, validation }

/** The shape that every other language fills. */
export type Texts<T = typeof nl> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> }
