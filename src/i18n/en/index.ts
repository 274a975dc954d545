import type { Texts } from '../nl/index.ts'
import { audit } from './audit.ts'
import { errors, validation } from './errors.ts'
import { health } from './health.ts'
import { mail, messages, outbox } from './messages.ts'
import { privacyExport, profile, signIn, users } from './people.ts'
import { reasons } from './reasons.ts'
import { recoverySheet } from './recovery-sheet.ts'
import { rights } from './rights.ts'
import { adminPage, contact, pages, site } from './site.ts'

export const en: Texts = {
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
