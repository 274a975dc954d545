import type { Texts } from '../nl/index.ts'
import { contact } from './contact.ts'
import { errors } from './errors.ts'
import { mail } from './mail.ts'
import { site } from './site.ts'
import { validation } from './validation.ts'

export const fa: Texts = { contact, errors, mail, site, validation }
