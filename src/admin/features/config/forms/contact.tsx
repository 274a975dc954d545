import { Textarea } from '@mantine/core'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { Section } from '../../../components/page.tsx'
import { MailNotice } from '../../../components/states.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, ScreenDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { type FormTexts, fromTexts, joinLines, numberProblems, parseCount, splitLines, toTexts } from '../values.ts'

/** The placeholder of a field, which is all of it that can be changed. */
interface PlaceholderValues {
  name: SiteParts['contact']['fields'][number]['name']
  placeholder: FormTexts
}

/** Recipients are one per line, and the days are as typed. */
interface ContactValues extends Record<string, unknown> {
  contact: { recipients: string; subject: string; retentionDays: string; fields: PlaceholderValues[] }
}

export const contact: ScreenDefinition<ContactValues> = {
  valuesOf: ({ contact }) => ({
    contact: {
      recipients: joinLines(contact.recipients),
      subject: contact.subject,
      retentionDays: String(contact.retentionDays),
      fields: contact.fields.map(({ name, placeholder }) => ({ name, placeholder: toTexts(placeholder) })),
    },
  }),
  partsOf: ({ contact }, config) => ({
    contact: {
      ...config.contact,
      recipients: splitLines(contact.recipients),
      subject: contact.subject.trim(),
      retentionDays: parseCount(contact.retentionDays) ?? 0,
      fields: config.contact.fields.map((field) => {
        const values = contact.fields.find(({ name }) => name === field.name)
        return values ? { ...field, placeholder: fromTexts(values.placeholder) } : field
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

export const sender: ScreenDefinition<SenderValues> = {
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
