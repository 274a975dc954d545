import type { VisitorText } from '../../contract/configuration.ts'
import type { FieldProblem } from '../../contract/errors.ts'
import { Refusal } from '../../contract/errors.ts'
import { builtInLocales, type Locale, textLocales } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { neededTexts, ownTexts, placeholdersIn } from '../../i18n/visitor-texts.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'

/** The program's texts for visitors in a language, in the program's order. */
export function listVisitorTexts(ctx: Context, locale: Locale): VisitorText[] {
  allow(ctx, ['config.write'])
  const { site } = ctx
  const delivered = builtInLocales.some((one) => one === locale)
  const fallback = textLocales(locale, site.fallbackLocales).slice(1)
  return [...neededTexts(locale, site.fallbackLocales)].map(([path, text]) => {
    const own = fallback.map((one) => ownTexts(site, one)?.[path]).find((one) => one !== undefined)
    return { path, text: own ?? text, delivered }
  })
}

/**
 * Refuses texts that the program does not have, and those with other placeholders than the program fills in.
 * @throws {Refusal} `invalid` with the path of each
 */
export function refuseWrongTexts(before: SiteConfig['texts'], now: SiteConfig['texts']): void {
  const problems: FieldProblem[] = []
  for (const [locale, texts = {}] of Object.entries(now ?? {})) {
    const needed = neededTexts(locale)
    for (const [path, text] of Object.entries(texts)) {
      if (before?.[locale]?.[path] === text) continue
      const original = needed.get(path)
      const at = `texts.${locale}.${path}`
      if (original === undefined) problems.push({ path: at, key: 'unknownField' })
      else if (!hasPlaceholdersOf(original, text)) problems.push({ path: at, key: 'textPlaceholders' })
    }
  }
  if (problems.length > 0) throw new Refusal('invalid', { problems: problems.slice(0, 20) })
}

/** A plural form may spell out its number. */
function hasPlaceholdersOf(original: string, text: string): boolean {
  const [wanted, found] = [placeholdersIn(original), placeholdersIn(text)]
  return (
    found.every((name) => wanted.includes(name)) && wanted.every((name) => name === 'count' || found.includes(name))
  )
}
