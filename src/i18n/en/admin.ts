import type { admin as dutch } from '../nl/admin.ts'
import type { Texts } from '../nl/index.ts'
import { form, home, palette, reauthentication, shell, states } from './admin/around.ts'
import { audit as log } from './admin/audit.ts'
import { files } from './admin/files.ts'
import { messages, outbox } from './admin/messages.ts'
import { privacy, profile, roles, users } from './admin/people.ts'
import { audit } from './audit.ts'
import { rights } from './rights.ts'
import { validation } from './validation.ts'

export const admin: Texts<typeof dutch> = {
  audit: { ...audit, ...log },
  files,
  form,
  home,
  messages,
  outbox,
  palette,
  privacy,
  profile,
  reauthentication,
  rights,
  roles,
  shell,
  states,
  users,
  validation: { passwordMismatch: validation.passwordMismatch, required: validation.required },
}
