import { toLatinDigits } from '../../../../contract/text.ts'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, ScreenDefinition } from '../part-form.tsx'
import { TextField } from '../text-fields.tsx'

interface LegalValues extends Record<string, unknown> {
  legal: {
    name: string
    address: { street: string; postalCode: string; city: string; country: string }
    email: string
    telephone: string
    kvk: string
    vat: string
  }
}

export const legal: ScreenDefinition<LegalValues> = {
  valuesOf: ({ legal }) => ({ legal: { ...legal, telephone: legal.telephone ?? '' } }),
  partsOf: ({ legal: { telephone, address, ...legal } }) => ({
    legal: {
      name: legal.name.trim(),
      address: {
        street: address.street.trim(),
        postalCode: address.postalCode.trim(),
        city: address.city.trim(),
        country: address.country.trim().toUpperCase(),
      },
      email: legal.email.trim(),
      ...(telephone.trim() !== '' && { telephone: toLatinDigits(telephone).trim() }),
      kvk: toLatinDigits(legal.kvk).trim(),
      vat: toLatinDigits(legal.vat).trim().toUpperCase(),
    },
  }),
  Fields: LegalFields,
  previewTarget: 'contact',
}

function LegalFields({ form }: FieldsProps<LegalValues>) {
  const t = useText()
  const addressProps = (name: keyof LegalValues['legal']['address']) => ({
    form,
    path: `legal.address.${name}`,
    label: t(`config.fields.address.${name}`),
  })
  return (
    <>
      <Section title={t('config.screens.legal.title')}>
        <TextField form={form} path="legal.name" help={t('config.help.legalName')} />
        <div className={styles.two}>
          <TextField form={form} path="legal.kvk" dir="ltr" inputMode="numeric" />
          <TextField form={form} path="legal.vat" dir="ltr" />
        </div>
      </Section>
      <Section title={t('config.fields.legal.address')}>
        <TextField {...addressProps('street')} />
        <div className={styles.two}>
          <TextField {...addressProps('postalCode')} dir="ltr" />
          <TextField {...addressProps('city')} />
          <TextField {...addressProps('country')} dir="ltr" maxLength={2} help={t('config.help.country')} />
        </div>
        <div className={styles.two}>
          <TextField form={form} path="legal.email" type="email" dir="ltr" />
          <TextField
            form={form}
            path="legal.telephone"
            type="tel"
            dir="ltr"
            required={false}
            help={t('config.help.telephone')}
          />
        </div>
      </Section>
    </>
  )
}
