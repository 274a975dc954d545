import { Textarea } from '@mantine/core'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { toLatinDigits } from '../../../../contract/text.ts'
import { Section } from '../../../components/page.tsx'
import { MailNotice } from '../../../components/states.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { linesOf, listOf, type Texts, textOf, textsOf } from '../values.ts'

interface ContactValues extends Record<string, unknown> {
  contact: { recipients: string; subject: string; retentionDays: string; fields: { placeholder: Texts }[] }
}

export const contact: PartDefinition<ContactValues> = {
  valuesOf: ({ contact }) => ({
    contact: {
      recipients: linesOf(contact.recipients),
      subject: contact.subject,
      retentionDays: String(contact.retentionDays),
      fields: contact.fields.map(({ placeholder }) => ({ placeholder: textsOf(placeholder) })),
    },
  }),
  partsOf: ({ contact }, config) => ({
    contact: {
      ...config.contact,
      recipients: listOf(contact.recipients),
      subject: contact.subject.trim(),
      retentionDays: daysOf(contact.retentionDays) ?? 0,
      fields: config.contact.fields.map((field, index) => ({
        ...field,
        placeholder: textOf(contact.fields[index]?.placeholder ?? textsOf(undefined)),
      })),
    },
  }),
  problemsOf: ({ contact }, t): Record<string, string> =>
    daysOf(contact.retentionDays) === undefined ? { 'contact.retentionDays': t('config.offer.numberWrong') } : {},
  Fields: ContactFields,
  shows: 'contact',
}

const daysOf = (typed: string): number | undefined => {
  const digits = toLatinDigits(typed).trim()
  return /^\d{1,6}$/.test(digits) ? Number(digits) : undefined
}

function ContactFields({ form, config }: FieldsProps<ContactValues>) {
  const t = useText()
  return (
    <>
      <MailNotice />
      <Section title={t('config.screens.contact.title')}>
        <Textarea
          label={t('config.fields.contact.recipients')}
          description={t('config.help.recipients')}
          dir="ltr"
          rows={3}
          required
          {...form.getInputProps('contact.recipients')}
        />
        <TextField form={form} path="contact.subject" help={t('config.help.subject')} />
        <TextField
          form={form}
          path="contact.retentionDays"
          help={t('config.help.retention')}
          inputMode="numeric"
          dir="ltr"
        />
      </Section>
      <Section title={t('config.fields.contact.fields')}>
        {config.contact.fields.map(({ name }, index) => (
          <TranslatedFields
            key={name}
            form={form}
            path={`contact.fields.${index}.placeholder`}
            label={t(`config.fields.formField.${name}`)}
          />
        ))}
      </Section>
    </>
  )
}

interface SenderValues extends Record<string, unknown> {
  sender: SiteParts['sender']
}

export const sender: PartDefinition<SenderValues> = {
  valuesOf: ({ sender }) => ({ sender }),
  partsOf: ({ sender: { name, email } }) => ({ sender: { name: name.trim(), email: email.trim() } }),
  Fields: SenderFields,
  hasNoPreview: true,
}

function SenderFields({ form }: FieldsProps<SenderValues>) {
  const t = useText()
  return (
    <Section title={t('config.screens.sender.title')}>
      <TextField form={form} path="sender.name" help={t('config.help.legalName')} />
      <TextField form={form} path="sender.email" help={t('config.help.sender')} type="email" dir="ltr" />
    </Section>
  )
}
