import { Textarea } from '@mantine/core'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { Section } from '../../../components/page.tsx'
import { MailNotice } from '../../../components/states.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { linesOf, listOf, numberProblems, type Texts, textOf, textsOf, wholeNumberOf } from '../values.ts'

interface PlaceholderValues {
  name: SiteParts['contact']['fields'][number]['name']
  placeholder: Texts
}

interface ContactValues extends Record<string, unknown> {
  contact: { recipients: string; subject: string; retentionDays: string; fields: PlaceholderValues[] }
}

export const contact: PartDefinition<ContactValues> = {
  valuesOf: ({ contact }) => ({
    contact: {
      recipients: linesOf(contact.recipients),
      subject: contact.subject,
      retentionDays: String(contact.retentionDays),
      fields: contact.fields.map(({ name, placeholder }) => ({ name, placeholder: textsOf(placeholder) })),
    },
  }),
  partsOf: ({ contact }, config) => ({
    contact: {
      ...config.contact,
      recipients: listOf(contact.recipients),
      subject: contact.subject.trim(),
      retentionDays: wholeNumberOf(contact.retentionDays) ?? 0,
      fields: config.contact.fields.map((field) => {
        const typed = contact.fields.find(({ name }) => name === field.name)
        return typed ? { ...field, placeholder: textOf(typed.placeholder) } : field
      }),
    },
  }),
  problemsOf: ({ contact }, t) => numberProblems([['contact.retentionDays', contact.retentionDays]], t),
  Fields: ContactFields,
  previewTarget: 'contact',
}

function ContactFields({ form }: FieldsProps<ContactValues>) {
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
        {form.getValues().contact.fields.map(({ name }, index) => (
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
