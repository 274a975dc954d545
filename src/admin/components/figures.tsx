import type { ReactNode } from 'react'
import type { Locale } from '../../contract/locales.ts'
import { useText } from '../i18n.ts'
import styles from './figures.module.css'

/** The name of what was counted, with details below it. */
export const Name = ({ children }: { children: ReactNode }) => <div className={styles.name}>{children}</div>

/** The name of a counted page. @param props.title null if the page no longer exists */
export function PageName({ address, title, locale }: { address: string; title: string | null; locale: Locale }) {
  const t = useText()
  return (
    <Name>
      {title ? (
        <a href={address} lang={locale}>
          <bdi>{title}</bdi>
        </a>
      ) : (
        t('home.pageGone')
      )}
      <bdi dir="ltr" className="quiet small">
        {address}
      </bdi>
    </Name>
  )
}

/** A bar for a fraction from 0 to 1. */
export const ShareBar = ({ fraction }: { fraction: number }) => (
  <i aria-hidden className={styles.share} style={{ inlineSize: `${fraction * 100}%` }} />
)

/** An explanation below figures. */
export const FiguresNote = ({ children }: { children: ReactNode }) => <p className={styles.how}>{children}</p>
