import { textOfHtml } from '../../../blocks/block-texts.ts'
import type { EntryField, EntryValues } from '../../../contract/collections.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { type AdminLocale, localized } from '../../../contract/locales.ts'
import { longDayText, numberText } from '../../components/dates.tsx'
import { useLocale } from '../../i18n.ts'
import { amountText } from '../config/values.ts'
import { useCollection } from './collections.ts'

/** The labels and values of an entry as read-only text; a field that the collection no longer has goes by its id. */
export function useEntryFacts(
  id: string | null,
): (values: EntryValues | undefined) => { label: string; text: string }[] {
  const locale = useLocale()
  const collection = useCollection(id)
  return (values = {}) =>
    Object.entries(values).map(([name, value]) => {
      const field = collection?.fields.find((one) => one.id === name)
      return {
        label: field ? localized(field.name, locale).value : name,
        text: field ? readableValue(field, value, locale) : String(value),
      }
    })
}

/** A value as text; one that does not fit its field, as in a draft, as it was typed. */
function readableValue({ type, options }: EntryField, value: string | number, locale: AdminLocale): string {
  const text = String(value)
  if (typeof value === 'number') return type === 'price' ? `€ ${amountText(value, locale)}` : numberText(value, locale)
  if (type === 'choice') return localized(options?.find(({ id }) => id === text)?.name ?? { nl: text }, locale).value
  if (type === 'picture' || type === 'file') return fileNameFromUrl(text)
  if (type === 'richText') return textOfHtml(text).trim()
  return type === 'date' ? longDayText(text, locale) : text
}
