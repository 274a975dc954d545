import type { ConfigScreen } from './config.ts'
import { footer, navbar } from './forms/areas.tsx'
import { brand } from './forms/brand.tsx'
import { business } from './forms/business.tsx'
import { contact } from './forms/contact.tsx'
import { legal } from './forms/legal.tsx'
import { locales } from './forms/locales.tsx'
import { logo } from './forms/logo.tsx'
import { offer } from './forms/offer.tsx'
import { palette } from './forms/palette.tsx'
import { sender } from './forms/sender.tsx'
import { seo } from './forms/seo.tsx'
import type { PartDefinition } from './part-form.tsx'

/** The form of each screen. */
// biome-ignore lint/suspicious/noExplicitAny: each form has values of its own, which only itself reads
export const parts: Record<ConfigScreen, PartDefinition<any>> = {
  brand,
  logo,
  palette,
  offer,
  business,
  navbar,
  footer,
  seo,
  contact,
  sender,
  legal,
  locales,
}
