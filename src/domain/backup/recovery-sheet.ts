import { builtInLocale, type Locale } from '../../contract/locales.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { recoverySheet as en } from '../../i18n/en/recovery-sheet.ts'
import { recoverySheet as fa } from '../../i18n/fa/recovery-sheet.ts'
import { recoverySheet as nl } from '../../i18n/nl/recovery-sheet.ts'
import { isolated } from '../../i18n/reason.ts'

// Not among the texts of the translator, which every start loads.
const sheets = { nl, fa, en }

/** The sheet with the backup key, to print and keep apart from the backups, which cannot be opened without the key. */
export function recoverySheet(
  { identity, now, ...values }: Record<'site' | 'url' | 'version' | 'folder' | 'identity', string> & { now: Date },
  locale: Locale,
): string {
  const isolate = (text: string) => isolated(text, locale)
  return sheets[builtInLocale(locale)]({
    site: isolate(values.site),
    url: isolate(values.url),
    version: isolate(values.version),
    folder: isolate(values.folder),
    key: isolate(groupCharacters(identity)),
    command: isolate(command),
    date: longDateTime(now, locale),
  })
}

const command = 'BACKUP_KEY=AGE-SECRET-KEY-1… npm run cli -- restore etalage-….tar.age'

/** Puts a space after every eight characters. */
const groupCharacters = (key: string) => key.replace(/(.{8})(?=.)/g, '$1 ')
