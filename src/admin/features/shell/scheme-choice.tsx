import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { useText } from '../../i18n.ts'
import styles from './shell.module.css'

const schemes = [
  { value: 'light', label: 'shell.light', icon: Sun },
  { value: 'dark', label: 'shell.dark', icon: Moon },
  { value: 'auto', label: 'shell.system', icon: Monitor },
] as const satisfies { value: MantineColorScheme; label: string; icon: typeof Sun }[]

/** Light, dark, or as the screen itself is. */
export function SchemeChoice() {
  const t = useText()
  const name = useId()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset className={styles.schemes}>
      <legend className="unseen">{t('shell.scheme')}</legend>
      {schemes.map(({ value, label, icon: Icon }) => (
        <label key={value} title={t(label)}>
          <input
            type="radio"
            className="unseen"
            name={name}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon size={18} aria-hidden />
          <span className="unseen">{t(label)}</span>
        </label>
      ))}
    </fieldset>
  )
}
