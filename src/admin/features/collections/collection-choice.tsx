import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Collection, categoryField } from '../../../contract/collections.ts'
import { localized } from '../../../contract/locales.ts'
import { useLocale, useText } from '../../i18n.ts'
import { previewDataQuery } from '../blocks/preview-data.ts'

/** Chooses one of the collections of the site, or a category of one. */
export function CollectionChoice(props: {
  label: string
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}) {
  const { label, value, onChange, problem } = props
  const t = useText()
  const locale = useLocale()
  const { data: parts } = useQuery(previewDataQuery([]))
  const collections = (parts?.site.collections ?? []) as Collection[]
  const options = collections.flatMap((collection) => {
    const name = localized(collection.name, locale).value
    return [
      { value: collection.id, label: name },
      ...(categoryField(collection)?.options ?? []).map((option) => ({
        value: `${collection.id}/${option.id}`,
        label: `${name}: ${localized(option.name, locale).value}`,
      })),
    ]
  })
  const known = options.some((option) => option.value === value)
  return (
    <NativeSelect
      label={label}
      description={t('blocks.collections.help')}
      error={problem}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[...(known ? [] : [{ value, label: t('blocks.collections.choose') }]), ...options]}
    />
  )
}
