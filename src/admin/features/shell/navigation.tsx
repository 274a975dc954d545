import { Link } from '@tanstack/react-router'
import { ExternalLink, LogOut } from 'lucide-react'
import { useText } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import { signOut } from '../sign-in/sign-out.ts'
import { SchemeChoice } from './scheme-choice.tsx'
import { mayOpen, screens } from './screens.ts'
import styles from './shell.module.css'

export function Navigation() {
  const t = useText()
  const me = useMe()
  const work = me.user_role ?? me.role
  return (
    <>
      <nav aria-label={t('shell.navigation')} className={styles.links}>
        <ul>
          {screens
            .filter((screen) => mayOpen(me, screen))
            .map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/user', includeSearch: false }}>
                  <Icon size={20} aria-hidden />
                  {t(label)}
                </Link>
              </li>
            ))}
          <li>
            <a href="/">
              <ExternalLink size={20} aria-hidden />
              {t('shell.website')}
            </a>
          </li>
        </ul>
      </nav>
      <div className={styles.foot}>
        <Link to="/admin/profile" className={styles.me}>
          <span className={styles.initials} aria-hidden>
            {initialsOf(me.name)}
          </span>
          <span>
            <bdi>{me.name}</bdi>
            <small>
              <span className="unseen">{t('profile.title')}: </span>
              <bdi>{work.name}</bdi>
            </small>
          </span>
        </Link>
        <div className={styles.tools}>
          <SchemeChoice />
          <button type="button" onClick={signOut}>
            <LogOut size={18} className="turns" aria-hidden />
            {t('shell.signOut')}
          </button>
        </div>
      </div>
    </>
  )
}

const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('\u200c')
}
