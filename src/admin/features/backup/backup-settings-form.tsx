import { Alert, Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BackupSettings, ChangedBackupSettings } from '../../../contract/backups.ts'
import { deepEqual } from '../../../contract/deep-equal.ts'
import { api, parseResponse } from '../../client.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { SaveBar } from '../../components/form.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useVersionedForm, type VersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { useText } from '../../i18n.ts'
import { parseCount } from '../config/values.ts'
import styles from './backups.module.css'

/** Of how many days, weeks and months the newest backup is kept. */
const retentionFields = ['daily', 'weekly', 'monthly'] as const
type RetentionField = (typeof retentionFields)[number]

/**
 * The values of the form. Numbers are the texts of their fields. An empty `secretAccessKey` keeps the stored one if
 * endpoint and access key id are unchanged.
 */
type Values = Omit<ChangedBackupSettings, RetentionField | 'version'> & Record<RetentionField, string>

const valuesOf = (settings: BackupSettings): Values => {
  const { version, hasSecret, daily, weekly, monthly, ...others } = settings
  return { ...others, daily: String(daily), weekly: String(weekly), monthly: String(monthly), secretAccessKey: '' }
}

const toSettings = ({ daily, weekly, monthly, ...others }: Values): ChangedBackupSettings => ({
  ...others,
  daily: parseCount(daily) ?? invalidNumber,
  weekly: parseCount(weekly) ?? invalidNumber,
  monthly: parseCount(monthly) ?? invalidNumber,
})

/** Sent for a text that is no number, so that the server refuses it at the field. */
const invalidNumber = -1

export function BackupSettingsForm({ settings }: { settings: BackupSettings }) {
  const t = useText()
  const queries = useQueryClient()
  const versionedForm: VersionedForm<BackupSettings, Values> = useVersionedForm<BackupSettings, Values>({
    entity: settings,
    valuesOf: (stored = settings) => valuesOf(stored),
    save: async (values, base = settings) =>
      parseResponse(api.backups.settings.$put({ json: { ...toSettings(values), version: base.version } })),
    onSaved: () => {
      notify(t('backups.settings.saved'))
      return queries.invalidateQueries({ queryKey: ['backups'] })
    },
  })
  const { form } = versionedForm
  const values = form.getValues()
  const tryOut = useMutation({
    mutationFn: (values: Values) => parseResponse(api.backups.try.$post({ json: toSettings(values) })),
    onError: (error) => notifyFailure(t('backups.settings.worksNot'), error),
  })
  // Undefined after a change of the values, to which the result does not apply.
  const tryResult = deepEqual(tryOut.variables, values) ? tryOut.data : undefined
  const textField = (name: 'folder' | 'endpoint' | 'region' | 'bucket' | 'prefix' | 'accessKeyId', help?: string) => (
    <TextInput
      label={t(`backups.fields.${name}`)}
      description={help}
      dir="ltr"
      autoCapitalize="none"
      spellCheck={false}
      required={name !== 'prefix'}
      {...form.getInputProps(name)}
    />
  )
  return (
    <VersionedFormFrame
      versionedForm={versionedForm}
      notSaved={t('backups.settings.notSaved')}
      differences={differences}
    >
      <Checkbox label={t('backups.fields.scheduled')} {...form.getInputProps('scheduled', { type: 'checkbox' })} />
      <div className={styles.numbers}>
        <TextInput type="time" label={t('backups.fields.time')} dir="ltr" required {...form.getInputProps('time')} />
        {retentionFields.map((name) => (
          <TextInput
            key={name}
            label={t(`backups.fields.${name}`)}
            inputMode="numeric"
            dir="ltr"
            required
            {...form.getInputProps(name)}
          />
        ))}
      </div>
      <p className="quiet flush">{t('backups.help.retention')}</p>
      <ChoiceGroup
        legend={t('backups.fields.kind')}
        options={(['folder', 's3'] as const).map((value) => ({ value, label: t(`backups.kinds.${value}`) }))}
        chosen={[values.kind]}
        onChoose={([kind = 'folder']) => form.setFieldValue('kind', kind)}
      />
      {values.kind === 'folder' && textField('folder', t('backups.help.folder'))}
      {values.kind === 's3' && (
        <>
          {textField('endpoint', t('backups.help.endpoint'))}
          {textField('region')}
          {textField('bucket')}
          {textField('prefix', t('backups.help.prefix'))}
          {textField('accessKeyId')}
          <PasswordField
            label={t('backups.fields.secretAccessKey')}
            {...(settings.hasSecret && { description: t('backups.settings.secretStored') })}
            dir="ltr"
            autoComplete="off"
            {...form.getInputProps('secretAccessKey')}
          />
        </>
      )}
      <div role="status">
        {tryResult?.error === null && <Alert>{t('backups.settings.works')}</Alert>}
        {tryResult && tryResult.error !== null && (
          <Alert color="red" title={t('backups.settings.worksNot')}>
            <bdi>{tryResult.error}</bdi>
          </Alert>
        )}
      </div>
      <SaveBar saving={versionedForm.saving}>
        <Button loading={tryOut.isPending} onClick={() => tryOut.mutate(values)}>
          {t('backups.settings.try')}
        </Button>
      </SaveBar>
    </VersionedFormFrame>
  )

  function differences(theirs: BackupSettings) {
    const { secretAccessKey: _, ...stored } = valuesOf(theirs)
    return Object.entries(stored).map(([name, value]) => ({
      label: t(`backups.fields.${name as keyof Values}`),
      mine: valueText(values[name as keyof Values]),
      theirs: valueText(value),
    }))
  }
  function valueText(value: string | boolean) {
    return typeof value === 'boolean' ? t(value ? 'form.yes' : 'form.no') : value || t('form.nothing')
  }
}
