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
import { wholeNumberOf } from '../config/values.ts'
import styles from './backups.module.css'

const numbers = ['daily', 'weekly', 'monthly'] as const

/** Numbers are texts while they are typed. */
type Values = Omit<ChangedBackupSettings, (typeof numbers)[number] | 'version'> &
  Record<(typeof numbers)[number], string>

const valuesOf = (settings: BackupSettings): Values => {
  const { version, hasSecret, daily, weekly, monthly, ...others } = settings
  return { ...others, daily: String(daily), weekly: String(weekly), monthly: String(monthly), secretAccessKey: '' }
}

const sent = ({ daily, weekly, monthly, ...others }: Values): ChangedBackupSettings => ({
  ...others,
  daily: wholeNumberOf(daily) ?? invalid,
  weekly: wholeNumberOf(weekly) ?? invalid,
  monthly: wholeNumberOf(monthly) ?? invalid,
})

/** The server refuses it at the field. */
const invalid = -1

export function BackupSettingsForm({ settings }: { settings: BackupSettings }) {
  const t = useText()
  const queries = useQueryClient()
  const work: VersionedForm<BackupSettings, Values> = useVersionedForm<BackupSettings, Values>({
    entity: settings,
    valuesOf: (one = settings) => valuesOf(one),
    save: async (values, from = settings) =>
      parseResponse(api.backups.settings.$put({ json: { ...sent(values), version: from.version } })),
    onSaved: () => {
      notify(t('backups.settings.saved'))
      return queries.invalidateQueries({ queryKey: ['backups'] })
    },
  })
  const { form } = work
  const values = form.getValues()
  const trying = useMutation({
    mutationFn: (values: Values) => parseResponse(api.backups.try.$post({ json: sent(values) })),
    onError: (error) => notifyFailure(t('backups.settings.worksNot'), error),
  })
  // Not beside values that were typed since.
  const tried = deepEqual(trying.variables, values) ? trying.data : undefined
  const line = (name: 'folder' | 'endpoint' | 'region' | 'bucket' | 'prefix' | 'accessKeyId', help?: string) => (
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
    <VersionedFormFrame work={work} notSaved={t('backups.settings.notSaved')} differences={differences}>
      <Checkbox label={t('backups.fields.scheduled')} {...form.getInputProps('scheduled', { type: 'checkbox' })} />
      <div className={styles.numbers}>
        <TextInput type="time" label={t('backups.fields.time')} dir="ltr" required {...form.getInputProps('time')} />
        {numbers.map((name) => (
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
      {values.kind === 'folder' && line('folder', t('backups.help.folder'))}
      {values.kind === 's3' && (
        <>
          {line('endpoint', t('backups.help.endpoint'))}
          {line('region')}
          {line('bucket')}
          {line('prefix', t('backups.help.prefix'))}
          {line('accessKeyId')}
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
        {tried?.error === null && <Alert>{t('backups.settings.works')}</Alert>}
        {tried && tried.error !== null && (
          <Alert color="red" title={t('backups.settings.worksNot')}>
            <bdi>{tried.error}</bdi>
          </Alert>
        )}
      </div>
      <SaveBar saving={work.saving}>
        <Button loading={trying.isPending} onClick={() => trying.mutate(values)}>
          {t('backups.settings.try')}
        </Button>
      </SaveBar>
    </VersionedFormFrame>
  )

  function differences(theirs: BackupSettings) {
    const { secretAccessKey: _, ...stored } = valuesOf(theirs)
    return Object.entries(stored).map(([name, value]) => ({
      label: t(`backups.fields.${name as keyof Values}`),
      mine: shown(values[name as keyof Values]),
      theirs: shown(value),
    }))
  }
  function shown(value: string | boolean) {
    return typeof value === 'boolean' ? t(value ? 'form.yes' : 'form.no') : value || t('form.nothing')
  }
}
