import { TextInput } from '@mantine/core'
import { latinDigits } from '../../../../contract/digits.ts'
import { Section } from '../../../components/section.tsx'
import { type TextKey, useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'

interface Values extends Record<string, unknown> {
  legal: {
    name: string
    address: { street: string; postalCode: string; city: string; country: string }
    email: string
    telephone: string
    kvk: string
    vat: string
  }
}

export const legal: PartDefinition<Values> = {
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
      ...(telephone.trim() !== '' && { telephone: latinDigits(telephone).trim() }),
      kvk: latinDigits(legal.kvk).trim(),
      vat: latinDigits(legal.vat).trim().toUpperCase(),
    },
  }),
  Fields,
  shows: 'contact',
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const field = (path: string, label: TextKey, more: Parameters<typeof TextInput>[0] = {}) => (
    <TextInput label={t(label)} dir="auto" required autoComplete="off" {...form.getInputProps(path)} {...more} />
  )
  return (
    <>
      <Section title={t('config.screens.legal.title')}>
        {field('legal.name', 'config.fields.legal.name', { description: t('config.help.legalName') })}
        <div className={styles.two}>
          {field('legal.kvk', 'config.fields.legal.kvk', { dir: 'ltr', inputMode: 'numeric' })}
          {field('legal.vat', 'config.fields.legal.vat', { dir: 'ltr' })}
        </div>
      </Section>
      <Section title={t('config.fields.legal.address')}>
        {field('legal.address.street', 'config.fields.address.street')}
        <div className={styles.two}>
          {field('legal.address.postalCode', 'config.fields.address.postalCode', { dir: 'ltr' })}
          {field('legal.address.city', 'config.fields.address.city')}
          {field('legal.address.country', 'config.fields.address.country', {
            dir: 'ltr',
            maxLength: 2,
            description: t('config.help.country'),
          })}
        </div>
        <div className={styles.two}>
          {field('legal.email', 'config.fields.legal.email', { type: 'email', dir: 'ltr' })}
          {field('legal.telephone', 'config.fields.legal.telephone', {
            type: 'tel',
            dir: 'ltr',
            required: false,
            description: t('config.help.telephone'),
          })}
        </div>
      </Section>
    </>
  )
}
