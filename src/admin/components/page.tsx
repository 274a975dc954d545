import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'

interface Back {
  to: string
  label: string
}

/** One screen: its heading, what leads back, what can be done, and below it the work itself. */
export function Page(props: {
  /** In the browser's tab, and as the heading unless `heading` is given. */
  title: string
  heading?: ReactNode
  lead?: ReactNode
  back?: Back
  actions?: ReactNode
  /** Forms read best when lines are not long. */
  narrow?: boolean
  children: ReactNode
}) {
  const { title, heading, lead, back, actions, narrow, children } = props
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className={styles.page} data-narrow={narrow || undefined}>
      <header className={styles.head}>
        <div>
          {back && (
            <Link to={back.to} className={styles.back}>
              <ChevronLeft className="turns" size={18} aria-hidden />
              {back.label}
            </Link>
          )}
          <Title order={1} className={styles.title}>
            {heading ?? title}
          </Title>
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </div>
  )
}
