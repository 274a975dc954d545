import { Button, Input, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import type { FileKind } from '../../../contract/file-types.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { useText } from '../../i18n.ts'
import { FilePicker } from '../files/file-picker.tsx'
import styles from './blocks.module.css'

/** Chooses a film, its captions or any other file; for a video the address of a platform can be typed too. */
export function FileField(props: {
  label: string
  value: string
  kind: 'film' | 'captions' | 'video' | 'file'
  optional: boolean
  onChange: (value: unknown) => void
  problem: string | undefined
}) {
  const { label, value, kind, optional, onChange, problem } = props
  const t = useText()
  return (
    <FileChoice
      label={label}
      problem={problem}
      choose={t(value ? 'blocks.file.another' : 'blocks.file.choose')}
      kind={chosenKinds[kind]}
      onChoose={({ url }) => onChange(url)}
      remove={t('blocks.file.remove')}
      onRemove={optional && value ? () => onChange(undefined) : undefined}
      shown={
        kind === 'video' ? (
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
        )
      }
    />
  )
}

const chosenKinds = { film: 'video', captions: 'document', video: 'video', file: undefined } as const

/** What is chosen, its error, and the buttons to choose another file or none. */
export function FileChoice(props: {
  label: string
  problem: string | undefined
  /** The text of the button. */
  choose: string
  /** Limits the choice to this kind. */
  kind: FileKind | undefined
  onChoose: (file: StoredFile) => void
  remove: string
  onRemove: (() => void) | undefined
  shown: ReactNode
  /** More buttons. */
  actions?: ReactNode
  /** Below the buttons. */
  children?: ReactNode
}) {
  const { label, problem, choose, kind, onChoose, remove, onRemove, shown, actions, children } = props
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  return (
    <fieldset className={styles.group} aria-describedby={problem ? id : undefined}>
      <legend>{label}</legend>
      {shown}
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
        {actions}
        {onRemove && (
          <Button variant="subtle" color="red" onClick={onRemove}>
            {remove}
          </Button>
        )}
      </div>
      {children}
      {choosing && (
        <FilePicker
          {...(kind && { kind })}
          onChoose={(file) => {
            onChoose(file)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  )
}
