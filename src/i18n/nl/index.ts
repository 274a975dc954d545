import { audit } from './audit.ts'
import { errors, validation } from './errors.ts'
import { health } from './health.ts'
import { mail, messages, outbox } from './messages.ts'
import { privacyExport, profile, signIn, users } from './people.ts'
import { reasons } from './reasons.ts'
import { recoverySheet } from './recovery-sheet.ts'
import { rights } from './rights.ts'
import { adminPage, contact, pages, site } from './site.ts'

export const nl = {
  adminPage,
  audit,
  contact,
  errors,
  health,
  mail,
  messages,
  outbox,
  pages,
  privacyExport,
  profile,
  reasons,
  recoverySheet,
  rights,
  signIn,
  site,
  users,
  validation,
}

/** The type of every other language's texts. */
export type Texts<T = typeof nl> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> }
