import type { z } from 'zod'
import type { Locale } from '../../contract/locales.ts'
import { type RightGroup, rightGroups } from '../../contract/rights.ts'
import type { rightList } from '../../contract/roles.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'

/** Every right in its group, in words. Whoever is signed in may know what the rights mean that they have. */
export function listRights(ctx: Pick<Context, 'actor'>, locale: Locale): z.infer<typeof rightList> {
  allow(ctx, [])
  const t = translator(locale)
  return {
    data: (Object.keys(rightGroups) as RightGroup[]).map((group) => ({
      group,
      label: t(`rights.groups.${group}`),
      rights: rightGroups[group].map((name) => ({
        name,
        label: t(`rights.names.${name}.label`),
        explanation: t(`rights.names.${name}.explanation`),
      })),
    })),
  }
}
