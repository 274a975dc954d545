import { Button, Input, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { nameOfIcon } from '../../../blocks/icon-names.ts'
import { type IconName, icon, iconName } from '../../../blocks/icons.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { useLocale, useText } from '../../i18n.ts'
import choices from './choices.module.css'

const isIcon = (name: string): name is IconName => (iconName.options as string[]).includes(name)

/** Chooses an icon, with a search by name. */
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
  const shown = isIcon(value) ? nameOfIcon(value, locale) : t('blocks.icon.none')
  const id = useId()
  return (
    <Input.Wrapper label={label} error={problem} labelElement="div" id={id}>
      <div className="row">
        <Button
          leftSection={isIcon(value) && icon(value)}
          aria-label={`${label}: ${shown}`}
          {...(problem && { 'aria-invalid': true })}
          onClick={() => setChoosing(true)}
        >
          {shown}
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
          onChoose={(chosen) => {
            onChange(chosen)
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
  const term = search.trim().toLocaleLowerCase()
  const found = iconName.options.filter(
    (name) => nameOfIcon(name, locale).toLocaleLowerCase().includes(term) || name.includes(term),
  )
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
        {t('blocks.icon.found', { count: found.length })}
      </p>
      <ul className={choices.icons}>
        {found.map((name) => (
          <li key={name}>
            <button type="button" aria-pressed={name === value} onClick={() => onChoose(name)}>
              {icon(name)}
              {nameOfIcon(name, locale)}
            </button>
          </li>
        ))}
      </ul>
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}
