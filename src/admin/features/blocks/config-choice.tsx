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

/** Chooses one of the forms of the site. The value is the id of the form. */
export function FormChoice(props: ChoiceProps) {
  const t = useText()
  const locale = useLocale()
  // No blocks, for the public part of the configuration. Its schema leaves the fields of a form open.
  const { data } = useQuery(previewDataQuery([]))
  const forms = (data?.site.forms ?? []) as unknown as PublicForm[]
  const options = forms.map(({ id, name }) => ({ value: id, label: localized(name, locale).value }))
  return <Choice {...props} options={options} help={t('blocks.forms.help')} unset={t('blocks.forms.choose')} />
}

/** Chooses a collection, or a category of one. The value is `<collection id>` or `<collection id>/<category id>`. */
export function CollectionChoice(props: ChoiceProps) {
  const t = useText()
  const locale = useLocale()
  const { data } = useQuery(previewDataQuery([]))
  const collections = (data?.site.collections ?? []) as Collection[]
  const options = collections.flatMap((collection) => {
    const name = localized(collection.name, locale).value
    return [
      { value: collection.id, label: name },
      ...(categoryField(collection)?.options ?? []).map((category) => ({
        value: `${collection.id}/${category.id}`,
        label: `${name}: ${localized(category.name, locale).value}`,
      })),
    ]
  })
  return (
    <Choice {...props} options={options} help={t('blocks.collections.help')} unset={t('blocks.collections.choose')} />
  )
}

/** @param props.unset the label of a value that is none of the options */
function Choice(props: ChoiceProps & { options: Option[]; help: string; unset: string }) {
  const { label, value, onChange, problem, options, help, unset } = props
  const isKnown = options.some((option) => option.value === value)
  return (
    <NativeSelect
      label={label}
      description={help}
      error={problem}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[...(isKnown ? [] : [{ value, label: unset }]), ...options]}
    />
  )
}
