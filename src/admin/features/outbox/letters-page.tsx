import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { localeNames, locales } from '../../../contract/locales.ts'
import type { LetterPreview } from '../../../contract/outbox.ts'
import { isRefused } from '../../client.ts'
import { Choices } from '../../components/choices.tsx'
import { Page } from '../../components/page.tsx'
import { Facts, Section } from '../../components/section.tsx'
import { Failed, NoRight, NotFound, Waiting } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './outbox.module.css'
import { kindsQuery, type LettersSearch, previewQuery, toSeeMail } from './outbox.ts'

/** Every letter that the website writes, as its reader would see it. */
export function LettersPage() {
  const t = useText()
  const maySee = useRight(...toSeeMail)
  return (
    <Page
      title={t('outbox.letters.title')}
      lead={t('outbox.letters.lead')}
      back={{ to: '/admin/mail', label: t('outbox.title') }}
    >
      {maySee ? <Letters /> : <NoRight />}
    </Page>
  )
}

function Letters() {
  const t = useText()
  const spoken = useLocale()
  const search = useSearch({ from: '/admin/mail/letters' })
  const navigate = useNavigate({ from: '/admin/mail/letters' })
  const { data: kinds, error: noKinds, refetch: again } = useQuery(kindsQuery)
  const kind = search.kind ?? 'contactMessage'
  const locale = search.locale ?? spoken
  const { data: letter, error, refetch, isPlaceholderData } = useQuery(previewQuery(kind, locale))
  const change = (changes: Partial<LettersSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })

  if (isRefused(error, 'not_found')) return <NotFound />
  if (noKinds && !kinds) return <Failed error={noKinds} retry={() => void again()} />
  if (!kinds) return <Waiting rows={4} />
  return (
    <>
      <div className={styles.choices}>
        <NativeSelect
          label={t('outbox.letters.kind')}
          data={kinds.map((one) => ({ value: one.kind, label: one.label }))}
          value={kind}
          onChange={(event) => change({ kind: event.currentTarget.value })}
        />
        <Choices
          legend={t('outbox.letters.language')}
          options={locales.map((one) => ({ value: one, label: localeNames[one] }))}
          chosen={[locale]}
          onChoose={([one]) => change({ locale: one })}
        />
        <Choices
          legend={t('outbox.letters.part')}
          options={[
            { value: 'html', label: t('outbox.letters.html') },
            { value: 'text', label: t('outbox.letters.text') },
          ]}
          chosen={[search.part ?? 'html']}
          onChoose={([part]) => change({ part: part === 'text' ? part : undefined })}
        />
      </div>
      {error && !letter && <Failed error={error} retry={() => void refetch()} />}
      {!letter && !error && <Waiting rows={3} />}
      {letter && (
        <div aria-busy={isPlaceholderData}>
          <Letter letter={letter} part={search.part ?? 'html'} />
        </div>
      )}
    </>
  )
}

function Letter({ letter, part }: { letter: LetterPreview; part: 'html' | 'text' }) {
  const t = useText()
  const { subject, from, to, replyTo, html, text } = letter
  return (
    <Section title={subject}>
      <Facts
        facts={[
          { label: t('outbox.letters.from'), value: <Addresses list={[from]} /> },
          { label: t('outbox.letters.to'), value: <Addresses list={to} /> },
          ...(replyTo.length > 0 ? [{ label: t('outbox.letters.replyTo'), value: <Addresses list={replyTo} /> }] : []),
        ]}
      />
      {part === 'html' ? (
        // A place of its own, in which nothing runs and no link leads anywhere.
        <iframe className={styles.frame} title={t('outbox.letters.frame', { subject })} sandbox="" srcDoc={html} />
      ) : (
        <pre className={styles.text}>{text}</pre>
      )}
    </Section>
  )
}

const Addresses = ({ list }: { list: LetterPreview['to'] }) =>
  list.map(({ name, address }) => (
    <div key={address}>
      {name && <bdi>{name}</bdi>} <bdi dir="ltr">{name ? `<${address}>` : address}</bdi>
    </div>
  ))
