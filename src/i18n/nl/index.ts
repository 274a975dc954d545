import { adminPage } from './admin-page.ts'
import { audit } from './audit.ts'
import { contact } from './contact.ts'
import { errors } from './errors.ts'
import { mail } from './mail.ts'
import { messages } from './messages.ts'
import { outbox } from './outbox.ts'
import { pages } from './pages.ts'
import { profile } from './profile.ts'
import { rights } from './rights.ts'
import { signIn } from './sign-in.ts'
import { site } from './site.ts'
import { users } from './users.ts'
import { validation } from './validation.ts'

export const nl = {
  adminPage,
  audit,
  contact,
  errors,
  mail,
  messages,
  outbox,
  pages,
  profile,
  rights,
  signIn,
  site,
  users,
  validation,
}

/** The shape that every other language fills. */
export type Texts<T = typeof nl> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> }
