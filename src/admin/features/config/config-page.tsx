import { Link } from '@tanstack/react-router'
import {
  AtSign,
  BadgeEuro,
  Building2,
  ClipboardList,
  Clock,
  History,
  Image,
  Languages,
  LibraryBig,
  type LucideIcon,
  Mail,
  Menu,
  MessageSquareText,
  Palette,
  PanelBottom,
  PanelTop,
  Search,
  Send,
  Shapes,
  ShieldAlert,
  Tag,
} from 'lucide-react'
import { type ConfigScreen, configScreens } from '../../../contract/admin-start.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { Page, Section } from '../../components/page.tsx'
import { NoRight } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './config.module.css'
import { configReadRights } from './config.ts'
import { FileTools } from './file-tools.tsx'

const icons: Record<ConfigScreen, LucideIcon> = {
  brand: Tag,
  logo: Image,
  palette: Palette,
  look: Shapes,
  offer: BadgeEuro,
  collections: LibraryBig,
  business: Clock,
  menu: Menu,
  navbar: PanelTop,
  footer: PanelBottom,
  seo: Search,
  contact: Mail,
  forms: ClipboardList,
  spam: ShieldAlert,
  sender: AtSign,
  legal: Building2,
  locales: Languages,
  texts: MessageSquareText,
}

/** The overview of all settings. */
export function ConfigPage() {
  const t = useText()
  const maySee = useRight(...configReadRights)
  return (
    <Page
      title={t('config.title')}
      lead={t('config.lead')}
      actions={
        maySee && (
          <LinkButton to="/admin/config/revisions" variant="default" leftSection={<History size={18} aria-hidden />}>
            {t('config.revisions.title')}
          </LinkButton>
        )
      }
    >
      {!maySee && <NoRight />}
      {maySee && (
        <>
          <ul className={styles.cards}>
            {configScreens.map((screen) => {
              const Icon = icons[screen]
              return (
                <li key={screen}>
                  <Link to="/admin/config/$part" params={{ part: screen }} className={styles.card}>
                    <Icon size={24} strokeWidth={1.75} aria-hidden />
                    <strong>{t(`config.screens.${screen}.title`)}</strong>
                    <span>{t(`config.screens.${screen}.lead`)}</span>
                  </Link>
                </li>
              )
            })}
            <li>
              <Link to="/admin/config/mail" className={styles.card}>
                <Send size={24} strokeWidth={1.75} aria-hidden />
                <strong>{t('config.mail.title')}</strong>
                <span>{t('config.mail.lead')}</span>
              </Link>
            </li>
          </ul>
          <Section title={t('config.file.title')} lead={t('config.file.lead')}>
            <FileTools />
          </Section>
        </>
      )}
    </Page>
  )
}
