import type { Locale } from '../../contract/locales.ts'
import type { SpamReason, SpamSettings } from '../../contract/spam.ts'
import { foldWords } from '../../platform/db/text-search.ts'

/** The input of the spam rules. */
export interface JudgedMessage {
  name: string
  /** What the visitor wrote. */
  texts: readonly string[]
  /** Milliseconds since the visitor reached the form; undefined when that is not known, as without JavaScript. */
  filledInMs: number | undefined
}

/** The domain of an email address is no link. */
const linkPattern =
  /(?:https?:\/\/|www\.)[^\s<>"')\]]+|(?<![@\w.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|info|biz|online|shop|site|top|xyz|ru|cn|io)\b(?!@)(?:\/\S*)?/gi
const markupPattern = /<a\s[^>]{0,200}href|\[(?:url|link)[=\]]/i
/** The maximum number of links that add points. */
const mostLinks = 3
const mostWords = 4
const oldMs = 24 * 60 * 60_000

/** The spam rules that match a message, with their points. */
export function judgeMessage(
  settings: SpamSettings,
  { name, texts, filledInMs }: JudgedMessage,
  locales: readonly Locale[],
): SpamReason[] {
  const { points } = settings
  const reasons: SpamReason[] = []
  const add = (rule: keyof typeof points, isMet: boolean, times = 1, text?: string) => {
    if (isMet && points[rule] > 0) reasons.push({ rule, points: points[rule] * times, ...(text && { text }) })
  }
  const all = texts.join('\n')
  const links = [...new Set(all.match(linkPattern))]
  const counted = Math.min(links.length - settings.freeLinks, mostLinks)
  add('link', counted > 0, counted, links.slice(0, mostLinks).join(' ').slice(0, 200))
  add('linkInName', new RegExp(linkPattern, 'i').test(name))
  add('markup', markupPattern.test(all))
  add('otherScript', isMostlyInOtherScript(all, locales))
  add('noMoment', filledInMs === undefined)
  add('fast', filledInMs !== undefined && filledInMs < settings.fastSeconds * 1_000)
  add('old', filledInMs !== undefined && filledInMs > oldMs)
  const folded = ` ${foldWords([name, ...texts].join('\n').toLowerCase())} `
  const found = settings.words.flatMap((list) =>
    list.words.flatMap((word): SpamReason[] => {
      const wanted = foldWords(word.toLowerCase())
      return wanted !== '' && folded.includes(` ${wanted} `) ? [{ rule: 'word', points: list.points, text: word }] : []
    }),
  )
  return [...reasons, ...found.slice(0, mostWords)]
}

export const sumPoints = (reasons: readonly SpamReason[]): number =>
  reasons.reduce((total, { points }) => total + points, 0)

/** Whether most letters of a text are of a script that no language of the site uses. */
function isMostlyInOtherScript(text: string, locales: readonly Locale[]): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < 10) return false
  const scripts = new Set(['Latn', ...locales.map((locale) => new Intl.Locale(locale).maximize().script ?? 'Latn')])
  const names = [...scripts].flatMap((script) => scriptsOf[script] ?? [script]).filter(isScript)
  const known = text.match(new RegExp(names.map((script) => `\\p{Script=${script}}`).join('|'), 'gu'))?.length ?? 0
  return known < letters / 2
}

/** Unicode scripts for script codes of language tags that combine several scripts, or are a variant of one. */
const scriptsOf: Record<string, string[] | undefined> = {
  Aran: ['Arab'],
  Cyrs: ['Cyrl'],
  Geok: ['Geor'],
  Hanb: ['Hani', 'Bopo'],
  Hans: ['Hani'],
  Hant: ['Hani'],
  Hrkt: ['Hira', 'Kana'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
  Latf: ['Latn'],
  Latg: ['Latn'],
  Syre: ['Syrc'],
  Syrj: ['Syrc'],
  Syrn: ['Syrc'],
}

function isScript(name: string): boolean {
  try {
    return Boolean(new RegExp(`\\p{Script=${name}}`, 'u'))
  } catch {
    return false
  }
}
