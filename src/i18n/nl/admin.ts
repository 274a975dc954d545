import { again, form, home, palette, shell, states } from './admin/around.ts'
import { audit as log } from './admin/audit.ts'
import { files } from './admin/files.ts'
import { messages } from './admin/messages.ts'
import { outbox } from './admin/outbox.ts'
import { privacy } from './admin/privacy.ts'
import { profile } from './admin/profile.ts'
import { roles } from './admin/roles.ts'
import { users } from './admin/users.ts'
import { audit } from './audit.ts'
import { rights } from './rights.ts'
import { validation } from './validation.ts'

/** The texts of the admin. The browser loads those of one language, and none of the site's. */
export const admin = {
  again,
  audit: { ...audit, ...log },
  files,
  form,
  home,
  messages,
  outbox,
  palette,
  privacy,
  profile,
  rights,
  roles,
  shell,
  states,
  users,
  validation: { passwordMismatch: validation.passwordMismatch, required: validation.required },
}
