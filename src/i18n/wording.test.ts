import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The lines of all texts of a language, each with its file and number. */
function linesIn(locale: string): [place: string, line: string][] {
  const folder = new URL(`${locale}/`, import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) =>
    readFileSync(new URL(name, folder), 'utf8')
      .split('\n')
      .map((line, index): [string, string] => [`${name}:${index + 1}`, line]),
  )
}

/** Words for which the texts use another one, so that one thing has one name, in one spelling. */
const otherWords = {
  nl: ['[Gg]aaf', '[Bb]randpunt', '[Pp]roefmail', '[Ss]tartpagina', ' inbox[^:]', 'postvak\\.', 'het DNS', '[“”]'],
  fa: [
    ...['جستجو', 'نگه‌داری', 'این‌جا', 'آن‌جا', 'آنگاه', 'آدمیزاد', '(TLS|کاربری)،? بیشتر '],
    ...['فرستادنی', 'ایمیل‌های خروجی', 'ارجاع', 'تغییرمسیر', 'نشان‌واره', 'نشان (شرکت|وب‌سایت)'],
    ...['سرصفحه', 'پاصفحه', 'برون‌بری', 'نسخهٔ دوم', 'آیکن', 'اجباری', 'صفحهٔ نخست', 'برگهٔ مرورگر', 'برگه‌ای تازه'],
    ...['گردانندهٔ سرور', 'مدیر سیستم', 'مدیر سایت', 'شمارهٔ ثبت'],
  ],
  en: ['[“”]'],
}

test.each(Object.entries(otherWords))('the texts in %s have one name for one thing', (locale, words) => {
  const pattern = new RegExp(words.join('|'))
  expect(linesIn(locale).filter(([, line]) => pattern.test(line))).toEqual([])
})

test('in Persian texts a left-to-right mark keeps a sign beside Latin letters on its side', () => {
  // Such as `https://` or `~all`; without the mark the signs are shown on the other side of the letters.
  const unmarked = /(?<![^\s«(])[~?#@&%+/]+[A-Za-z]|[A-Za-z](:\/\/|[/?#~%+*=])(?=[\s،؛»)])/
  expect(linesIn('fa').filter(([, line]) => /[آ-ی]/.test(line) && unmarked.test(line))).toEqual([])
})
