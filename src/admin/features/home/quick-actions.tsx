import { FilePlus, ImagePlus, type LucideIcon, SlidersHorizontal, UserPlus } from 'lucide-react'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import styles from './home.module.css'

const actions = [
  { to: '/admin/pages/new', label: 'palette.newPage', icon: FilePlus, right: 'pages.write' },
  { to: '/admin/files', label: 'home.addFile', icon: ImagePlus, right: 'files.write' },
  { to: '/admin/users/new', label: 'palette.newUser', icon: UserPlus, right: 'users.write' },
  { to: '/admin/config', label: 'shell.settings', icon: SlidersHorizontal, right: 'config.write' },
] as const satisfies { to: string; label: TextKey; icon: LucideIcon; right: Right }[]

/** Buttons for the most frequent actions that the user has the right to. */
export function QuickActions() {
  const t = useText()
  const me = useMe()
  const allowed = actions.filter(({ right }) => hasRight(me, [right]))
  if (allowed.length === 0) return null
  return (
    <nav aria-label={t('home.quickActions')}>
      <ul className={styles.actions}>
        {allowed.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <LinkButton to={to} variant="default" leftSection={<Icon size={18} aria-hidden />}>
              {t(label)}
            </LinkButton>
          </li>
        ))}
      </ul>
    </nav>
  )
}
