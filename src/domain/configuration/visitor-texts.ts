import type { VisitorText } from '../../contract/configuration.ts'
import type { FieldProblem } from '../../contract/errors.ts'
import { Refusal } from '../../contract/errors.ts'
import { findBuiltInLocale, type Locale, textLocales } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { neededTexts, ownTexts, placeholdersIn } from '../../i18n/visitor-texts.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'

/**
 * The built-in texts for visitors that the site can replace in a language. Where the site has replaced one in a
 * fallback language, that text is given instead.
 */
export function listVisitorTexts(ctx: Context, locale: Locale): VisitorText[] {
  allow(ctx, ['config.write'])
  const { site } = ctx
  const delivered = findBuiltInLocale(locale) !== undefined
  const fallbackLocales = textLocales(locale, site.fallbackLocales).slice(1)
  return [...neededTexts(locale, site.fallbackLocales)].map(([path, text]) => {
    const fallbackTexts = fallbackLocales.map((fallback) => ownTexts(site, fallback)?.[path])
    return { path, text: fallbackTexts.find((ownText) => ownText !== undefined) ?? text, delivered }
  })
}

/**
 * Refuses new and changed texts of the site that replace no built-in text, or have other placeholders than it.
 * @throws {Refusal} `invalid` with the path of each
 */
export function refuseWrongTexts(before: SiteConfig['texts'], after: SiteConfig['texts']): void {
  const problems: FieldProblem[] = []
  for (const [locale, texts = {}] of Object.entries(after ?? {})) {
    const needed = neededTexts(locale)
    for (const [path, text] of Object.entries(texts)) {
      if (before?.[locale]?.[path] === text) continue
      const original = needed.get(path)
      const problemPath = `texts.${locale}.${path}`
      if (original === undefined) problems.push({ path: problemPath, key: 'unknownField' })
      else if (!hasPlaceholdersOf(original, text)) problems.push({ path: problemPath, key: 'textPlaceholders' })
    }
  }
  if (problems.length > 0) throw new Refusal('invalid', { problems: problems.slice(0, 20) })
}

/**
 * Whether a text has the placeholders of the original and no others. `count` may be missing: a plural form may spell it
 * out.
 */
function hasPlaceholdersOf(original: string, text: string): boolean {
  const [required, used] = [placeholdersIn(original), placeholdersIn(text)]
  const hasNoOthers = used.every((name) => required.includes(name))
  return hasNoOthers && required.every((name) => name === 'count' || used.includes(name))
}
