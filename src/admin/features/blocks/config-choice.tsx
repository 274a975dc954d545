import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Collection, categoryField } from '../../../contract/collections.ts'
import type { PublicForm } from '../../../contract/form-fields.ts'
import { localized } from '../../../contract/locales.ts'
import { useLocale, useText } from '../../i18n.ts'
import { previewDataQuery } from './preview-data.ts'

interface ChoiceProps {
  label: string
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}
interface Option {
  value: string
  label: string
}

/** Chooses one of the forms of the site. */
export function FormChoice(props: ChoiceProps) {
  const t = useText()
  const locale = useLocale()
  const { data: parts } = useQuery(previewDataQuery([]))
  const forms = (parts?.site.forms ?? []) as unknown as PublicForm[]
  const options = forms.map(({ id, name }) => ({ value: id, label: localized(name, locale).value }))
  return <Choice {...props} options={options} help={t('blocks.forms.help')} choose={t('blocks.forms.choose')} />
}

/** Chooses one of the collections of the site, or a category of one. */
export function CollectionChoice(props: ChoiceProps) {
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
  return (
    <Choice {...props} options={options} help={t('blocks.collections.help')} choose={t('blocks.collections.choose')} />
  )
}

/** @param props `choose`: shown while the value is none of the options */
function Choice(props: ChoiceProps & { options: Option[]; help: string; choose: string }) {
  const { label, value, onChange, problem, options, help, choose } = props
  const isKnown = options.some((option) => option.value === value)
  return (
    <NativeSelect
      label={label}
      description={help}
      error={problem}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[...(isKnown ? [] : [{ value, label: choose }]), ...options]}
    />
  )
}
