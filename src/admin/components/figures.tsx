import type { ReactNode } from 'react'
import type { Locale } from '../../contract/locales.ts'
import { useText } from '../i18n.ts'
import styles from './figures.module.css'

/** What is counted: its name and what tells more about it. */
export const Name = ({ children }: { children: ReactNode }) => <div className={styles.name}>{children}</div>

/** A counted page; without a title it no longer exists. */
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

/** A bar. @param of from 0 to 1 */
export const Share = ({ of }: { of: number }) => (
  <i aria-hidden className={styles.share} style={{ inlineSize: `${of * 100}%` }} />
)

/** Explains figures, below them. */
export const HowCounted = ({ children }: { children: ReactNode }) => <p className={styles.how}>{children}</p>
