import { Button, Input, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { fileNameFromUrl } from '../../../contract/images.ts'
import { useText } from '../../i18n.ts'
import { FilePicker } from '../files/file-picker.tsx'
import styles from './blocks.module.css'

/** Chooses a film or any other file; for a video the address of a platform can be typed too. */
export function FileField(props: {
  label: string
  value: string
  kind: 'film' | 'video' | 'file'
  optional: boolean
  onChange: (value: unknown) => void
  problem: string | undefined
}) {
  const { label, value, kind, optional, onChange, problem } = props
  const t = useText()
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  const choose = t(value ? 'blocks.file.another' : 'blocks.file.choose')
  return (
    <fieldset className={styles.group} aria-describedby={problem ? id : undefined}>
      <legend>{label}</legend>
      {kind === 'video' ? (
        <TextInput
          aria-label={label}
          description={t('blocks.file.videoHelp')}
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={value}
          {...(problem && { 'aria-invalid': true })}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <bdi>{value ? fileNameFromUrl(value) : t('blocks.file.none')}</bdi>
      )}
      {problem && (
        <Input.Error id={id} role="alert">
          {problem}
        </Input.Error>
      )}
      <div className="row">
        <Button
          variant="default"
          aria-label={`${choose}: ${label}`}
          {...(problem && { 'aria-invalid': true })}
          onClick={() => setChoosing(true)}
        >
          {choose}
        </Button>
        {optional && value && (
          <Button variant="subtle" color="red" onClick={() => onChange(undefined)}>
            {t('blocks.file.remove')}
          </Button>
        )}
      </div>
      {choosing && (
        <FilePicker
          {...(kind !== 'file' && { kind: 'video' })}
          onChoose={({ url }) => {
            onChange(url)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  )
}
