import type { adminPages as dutch } from '../nl/admin-pages.ts'
import type { Texts } from '../nl/index.ts'
import { pages, redirects } from './admin/pages.ts'

export const adminPages: Texts<typeof dutch> = { pages, redirects }
