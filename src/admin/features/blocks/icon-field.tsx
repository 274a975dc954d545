import { Button, Input, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { nameOfIcon } from '../../../blocks/icon-names.ts'
import { type IconName, iconName, renderIcon } from '../../../blocks/icons.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { matchesSearch } from '../../components/matches-search.ts'
import { useLocale, useText } from '../../i18n.ts'
import choices from './choices.module.css'

const isIcon = (name: string): name is IconName => (iconName.options as string[]).includes(name)

/** Chooses an icon in a dialog, with a search by name. */
export function IconField(props: {
  label: string
  value: string
  optional: boolean
  onChange: (value: string | undefined) => void
  problem: string | undefined
}) {
  const { label, value, optional, onChange, problem } = props
  const t = useText()
  const locale = useLocale()
  const [choosing, setChoosing] = useState(false)
  const currentName = isIcon(value) ? nameOfIcon(value, locale) : t('blocks.icon.none')
  const id = useId()
  return (
    <Input.Wrapper label={label} error={problem} labelElement="div" id={id}>
      <div className="row">
        <Button
          leftSection={isIcon(value) && renderIcon(value)}
          aria-label={`${label}: ${currentName}`}
          {...(problem && { 'aria-invalid': true })}
          onClick={() => setChoosing(true)}
        >
          {currentName}
        </Button>
        {optional && value && (
          <Button variant="subtle" onClick={() => onChange(undefined)}>
            {t('blocks.icon.remove')}
          </Button>
        )}
      </div>
      {choosing && (
        <ChooseIcon
          value={value}
          onChoose={(newName) => {
            onChange(newName)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </Input.Wrapper>
  )
}

function ChooseIcon(props: { value: string; onChoose: (name: IconName) => void; onClose: () => void }) {
  const { value, onChoose, onClose } = props
  const t = useText()
  const locale = useLocale()
  const [search, setSearch] = useState('')
  const matches = iconName.options.filter((name) => matchesSearch(`${nameOfIcon(name, locale)} ${name}`, search))
  return (
    <Dialog title={t('blocks.icon.title')} wide onClose={onClose}>
      <TextInput
        type="search"
        label={t('blocks.icon.search')}
        autoFocus
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p role="status" className="quiet flush">
        {t('blocks.icon.found', { count: matches.length })}
      </p>
      <ul className={choices.icons}>
        {matches.map((name) => (
          <li key={name}>
            <button type="button" aria-pressed={name === value} onClick={() => onChoose(name)}>
              {renderIcon(name)}
              {nameOfIcon(name, locale)}
            </button>
          </li>
        ))}
      </ul>
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}
