import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LinkHolder } from '../../../contract/links.ts'
import { languageName } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import { configLabel } from '../config/changed-value.tsx'
import styles from './links.module.css'

/** The pages, sections and settings that contain a link, with links to the editors of pages and sections. */
export function LinkHolders({ holders, total }: { holders: readonly LinkHolder[]; total: number }) {
  const t = useText()
  return (
    <ul className={styles.holders}>
      {holders.map((holder) => (
        <li key={JSON.stringify(holder)}>
          <Holder holder={holder} />
        </li>
      ))}
      {total > holders.length && <li>{t('links.more', { count: total - holders.length })}</li>}
    </ul>
  )
}

function Holder({ holder }: { holder: LinkHolder }) {
  const t = useText()
  const note = (text: string): ReactNode => <span className="quiet small">{text}</span>
  if (holder.type === 'page') {
    const { id, locale, title, text } = holder
    return (
      <>
        <Link to="/admin/pages/$id/$locale" params={{ id: String(id), locale }} target="_blank" lang={locale}>
          <bdi>{title}</bdi>
        </Link>{' '}
        {note(`${languageName(locale)}, ${t(`links.texts.${text}`)}`)}
      </>
    )
  }
  if (holder.type === 'section') {
    return (
      <>
        <Link to="/admin/sections/$section" params={{ section: holder.id }} target="_blank">
          <bdi>{holder.name}</bdi>
        </Link>{' '}
        {note(`${t('links.section')}, ${languageName(holder.locale)}`)}
      </>
    )
  }
  return (
    <>
      {configLabel(holder.name, t)} {note(`${t('shell.settings')}, ${languageName(holder.locale)}`)}
    </>
  )
}
