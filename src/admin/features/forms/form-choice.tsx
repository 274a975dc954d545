import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ShownForm } from '../../../contract/form-fields.ts'
import { localized } from '../../../contract/locales.ts'
import { useLocale, useText } from '../../i18n.ts'
import { previewDataQuery } from '../blocks/preview-data.ts'

/** Chooses one of the forms of the site. */
export function FormChoice(props: {
  label: string
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}) {
  const { label, value, onChange, problem } = props
  const t = useText()
  const locale = useLocale()
  const { data: parts } = useQuery(previewDataQuery([]))
  const forms = (parts?.site.forms ?? []) as unknown as ShownForm[]
  const known = forms.some(({ id }) => id === value)
  return (
    <NativeSelect
      label={label}
      description={t('blocks.forms.help')}
      error={problem}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        ...(known ? [] : [{ value, label: t('blocks.forms.choose') }]),
        ...forms.map(({ id, name }) => ({ value: id, label: localized(name, locale).value })),
      ]}
    />
  )
}
