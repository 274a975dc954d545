import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { builtInLocales, languageName } from '../../../contract/locales.ts'
import type { EmailPreview } from '../../../contract/outbox.ts'
import { isApiRefusal } from '../../client.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { Facts, NotFound, Page, Section } from '../../components/page.tsx'
import { ErrorState, Loading } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './outbox.module.css'
import { type EmailPreviewSearch, emailKindsQuery, emailPreviewQuery, mailReadRights } from './outbox.ts'

/** The screen with a preview of each email template, in each built-in language. */
export function EmailPreviewsPage() {
  const t = useText()
  return (
    <Page
      title={t('outbox.previews.title')}
      lead={t('outbox.previews.lead')}
      back={{ to: '/admin/mail', label: t('outbox.title') }}
      allowed={useRight(...mailReadRights)}
    >
      <EmailPreviews />
    </Page>
  )
}

function EmailPreviews() {
  const t = useText()
  const uiLocale = useLocale()
  const search = useSearch({ from: '/admin/mail/letters' })
  const navigate = useNavigate({ from: '/admin/mail/letters' })
  const { data: kinds, error: kindsError, refetch: refetchKinds } = useQuery(emailKindsQuery)
  const kind = search.kind ?? 'contactMessage'
  const locale = search.locale ?? uiLocale
  const { data: email, error, refetch, isPlaceholderData } = useQuery(emailPreviewQuery(kind, locale))
  const change = (changes: Partial<EmailPreviewSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...changes }), replace: true })

  if (isApiRefusal(error, 'not_found')) return <NotFound />
  if (kindsError && !kinds) return <ErrorState error={kindsError} retry={() => void refetchKinds()} />
  if (!kinds) return <Loading rows={4} />
  return (
    <>
      <div className={styles.choices}>
        <NativeSelect
          label={t('outbox.previews.kind')}
          data={kinds.map(({ kind, label }) => ({ value: kind, label }))}
          value={kind}
          onChange={(event) => change({ kind: event.currentTarget.value })}
        />
        <ChoiceGroup
          legend={t('outbox.previews.language')}
          options={builtInLocales.map((value) => ({ value, label: languageName(value) }))}
          chosen={[locale]}
          onChoose={([chosen]) => change({ locale: chosen })}
        />
        <ChoiceGroup
          legend={t('outbox.previews.part')}
          options={[
            { value: 'html', label: t('outbox.previews.html') },
            { value: 'text', label: t('outbox.previews.text') },
          ]}
          chosen={[search.part ?? 'html']}
          onChoose={([part]) => change({ part: part === 'text' ? part : undefined })}
        />
      </div>
      {error && !email && <ErrorState error={error} retry={() => void refetch()} />}
      {!email && !error && <Loading rows={3} />}
      {email && (
        <div aria-busy={isPlaceholderData} data-stale={isPlaceholderData}>
          <EmailPreviewSection email={email} part={search.part ?? 'html'} />
        </div>
      )}
    </>
  )
}

function EmailPreviewSection({ email, part }: { email: EmailPreview; part: 'html' | 'text' }) {
  const t = useText()
  const { subject, from, to, replyTo, html, text } = email
  return (
    <Section title={subject}>
      <Facts
        facts={[
          { label: t('outbox.previews.from'), value: <Addresses list={[from]} /> },
          { label: t('outbox.previews.to'), value: <Addresses list={to} /> },
          ...(replyTo.length > 0 ? [{ label: t('outbox.previews.replyTo'), value: <Addresses list={replyTo} /> }] : []),
        ]}
      />
      {part === 'html' ? (
        // Security: with an empty `sandbox`, scripts and links of the email do not work.
        <iframe className={styles.frame} title={t('outbox.previews.frame', { subject })} sandbox="" srcDoc={html} />
      ) : (
        <pre className={styles.text}>{text}</pre>
      )}
    </Section>
  )
}

const Addresses = ({ list }: { list: EmailPreview['to'] }) =>
  list.map(({ name, address }) => (
    <div key={address}>
      {name && <bdi>{name}</bdi>} <bdi dir="ltr">{name ? `<${address}>` : address}</bdi>
    </div>
  ))
