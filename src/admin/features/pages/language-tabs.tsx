import { Link } from '@tanstack/react-router'
import { type Locale, localeNames, locales } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import styles from './page-form.module.css'

/** One form for each language; each is saved and published by itself. */
export function LanguageTabs({ id, locale }: { id: number; locale: Locale }) {
  const t = useText()
  return (
    <nav aria-label={t('pages.languages')}>
      <ul className={styles.languages}>
        {locales.map((one) => (
          <li key={one}>
            <Link
              to="/admin/pages/$id/$locale"
              params={{ id: String(id), locale: one }}
              lang={one}
              {...(one === locale && { 'aria-current': 'page' })}
            >
              {localeNames[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
