export { audit } from './audit.ts'
export { errors, validation } from './errors.ts'
export { health } from './health.ts'
export { mail, messages, outbox } from './messages.ts'
export { privacyExport, profile, signIn, users } from './people.ts'
export { reasons } from './reasons.ts'
export { rights } from './rights.ts'
export { adminPage, contact, pages, site } from './site.ts'

/** The type of the same texts in another language. */
export type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> }
