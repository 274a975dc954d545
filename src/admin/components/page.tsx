import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, Compass } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useText } from '../i18n.ts'
import { Help } from './help.tsx'
import styles from './page.module.css'
import { Empty, NotAllowed } from './states.tsx'

export interface BackLink {
  to: string
  label: string
}

/** The layout of one screen: heading, back link, actions and content, or that the user has no right to see it. */
export function Page(props: {
  /** The document title, and the heading unless `heading` is given. */
  title: string
  heading?: ReactNode
  lead?: ReactNode
  back?: BackLink
  actions?: ReactNode
  /** Whether the user may see the actions and the content. */
  allowed?: boolean
  /** Leaves out the help button, for the not-found page. */
  withoutHelp?: boolean
  /** Limits the line length, for forms. */
  narrow?: boolean
  children: ReactNode
}) {
  const { title, heading, lead, back, actions, allowed = true, withoutHelp, narrow, children } = props
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className={styles.page} data-narrow={narrow || undefined}>
      <header className={styles.head}>
        <div>
          {back && (
            <Link to={back.to} className={styles.back}>
              <ChevronLeft className="flip-in-rtl" />
              {back.label}
            </Link>
          )}
          <div className={styles.titleLine}>
            <Title order={1} className={styles.title}>
              {heading ?? title}
            </Title>
            {!withoutHelp && <Help />}
          </div>
        </div>
        {allowed && actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {lead && <p className={styles.lead}>{lead}</p>}
      {allowed ? children : <NotAllowed />}
    </div>
  )
}

/** The screen of an unknown address. The specification sets its title in English for every language. */
export function NotFound() {
  const t = useText()
  return (
    <Page
      title="Page Not Found"
      heading={<span lang="en">Page Not Found</span>}
      back={{ to: '/user', label: t('shell.overview') }}
      withoutHelp
    >
      <Empty icon={Compass} title={t('states.notFound')} text={t('states.notFoundText')} />
    </Page>
  )
}

/** A section of a screen with a heading. */
export function Section(props: { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const { title, lead, actions, children } = props
  return (
    <section className={styles.section}>
      <header>
        <Title order={2}>{title}</Title>
        {actions}
      </header>
      {lead && <p className={styles.sectionLead}>{lead}</p>}
      <div className={styles.body}>{children}</div>
    </section>
  )
}

/** A description list. */
export function Facts({ facts }: { facts: { label: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels of a form may repeat
        <div key={index}>
          <dt dir="auto">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Two columns: main content and sidebar, stacked on a narrow screen. */
export function TwoColumns({ main, aside }: { main: ReactNode; aside: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>{main}</div>
      <aside className={styles.stack}>{aside}</aside>
    </div>
  )
}
