import type { Locale } from '../../contract/locales.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { isolated } from '../../i18n/reason.ts'
import { translator } from '../../i18n/translate.ts'

/** The sheet with the backup key, to print and keep apart from the backups, which cannot be opened without the key. */
export function recoverySheet(
  { identity, now, ...values }: Record<'site' | 'url' | 'version' | 'folder' | 'identity', string> & { now: Date },
  locale: Locale,
): string {
  const placeholders = { ...values, key: groupCharacters(identity), command }
  return translator(locale)('recoverySheet', {
    ...Object.fromEntries(Object.entries(placeholders).map(([name, text]) => [name, isolated(text, locale)])),
    date: longDateTime(now, locale),
  })
}

const command = 'BACKUP_KEY=AGE-SECRET-KEY-1… npm run cli -- restore etalage-….tar.age'

/** Puts a space after every eight characters. */
const groupCharacters = (key: string) => key.replace(/(.{8})(?=.)/g, '$1 ')
