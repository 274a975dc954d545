import { useDebouncedValue } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../i18n.ts'
import { type Entry, matching, useActions, usePeople, useScreens } from './entries.ts'
import styles from './palette.module.css'

/** Every screen, what is done often and every user, by typing a part of its name. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [settled] = useDebouncedValue(typed.trim(), 150)
  const people = usePeople(settled)
  const groups = [
    { label: t('palette.screens'), entries: matching(useScreens(), typed) },
    { label: t('palette.actions'), entries: matching(useActions(), typed) },
    { label: t('palette.people'), entries: people.entries },
  ].filter(({ entries }) => entries.length > 0)
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(at, entries.length - 1)]

  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, another first entry
  useEffect(() => setAt(0), [typed])
  useEffect(() => {
    if (current) document.getElementById(`${id}${current.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, current])

  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.go()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, entries.length - 1) + step + entries.length) % entries.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(current)
    }
  }

  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t('palette.open')}
      onClose={() => {
        if (!dialog.current?.open) onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.inside}>
        <div className={styles.field}>
          <Search size={20} aria-hidden />
          <input
            role="combobox"
            aria-expanded={entries.length > 0}
            aria-controls={id}
            aria-activedescendant={current ? `${id}${current.id}` : undefined}
            aria-autocomplete="list"
            aria-label={t('palette.hint')}
            placeholder={t('palette.hint')}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={press}
          />
        </div>
        {(people.state || entries.length === 0) && (
          <p role={people.state === 'failed' ? 'alert' : 'status'} className={styles.nothing}>
            {t(`palette.${people.state ?? 'nothing'}`)}
          </p>
        )}
        <div id={id} role="listbox" aria-label={t('palette.open')} className={styles.list}>
          {groups.map(({ label, entries }, group) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox holds groups, and no fieldset
            <div key={label} role="group" aria-labelledby={`${id}group${group}`}>
              <p id={`${id}group${group}`}>{label}</p>
              {entries.map((entry) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
                <div
                  key={entry.id}
                  id={`${id}${entry.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={entry === current}
                  onMouseMove={() => setAt(everywhere(groups, entry))}
                  onClick={() => choose(entry)}
                >
                  <entry.icon size={18} aria-hidden />
                  <bdi>{entry.label}</bdi>
                  {entry.more && (
                    <bdi dir="ltr" className={styles.more}>
                      {entry.more}
                    </bdi>
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </dialog>
  )
}

const everywhere = (groups: { entries: Entry[] }[], entry: Entry) =>
  groups.flatMap(({ entries }) => entries).indexOf(entry)
