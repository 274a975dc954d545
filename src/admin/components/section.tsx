import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './section.module.css'

/** A part of a screen, with its own heading. */
export function Section(props: { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const { title, lead, actions, children } = props
  return (
    <section className={styles.section}>
      <header>
        <Title order={2}>{title}</Title>
        {actions}
      </header>
      {lead && <p className={styles.lead}>{lead}</p>}
      <div className={styles.body}>{children}</div>
    </section>
  )
}

/** Facts, each with its name. */
export function Facts({ facts }: { facts: { label: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The work beside what is only to be known; below each other where there is no room. */
export function Beside({ main, aside }: { main: ReactNode; aside: ReactNode }) {
  return (
    <div className={styles.beside}>
      <div className={styles.stack}>{main}</div>
      <aside className={styles.stack}>{aside}</aside>
    </div>
  )
}
