import type { adminConfig as dutch } from '../nl/admin-config.ts'
import type { Texts } from '../nl/index.ts'
import { config } from './admin/config.ts'

export const adminConfig: Texts<typeof dutch> = { config }
