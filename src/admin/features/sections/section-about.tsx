import { History } from 'lucide-react'
import { useId } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import type { Section } from '../../../contract/sections.ts'
import { api, parseResponse } from '../../client.ts'
import { LinkButton, TextLink } from '../../components/buttons.tsx'
import { DeleteButton } from '../../components/record-page.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './sections.module.css'
import { sectionQuery } from './sections.ts'

/** Where a section is used, with links to its history in a language and its changes, and a button to delete it. */
export function AboutSection({ section, locale }: { section: Section; locale: Locale }) {
  const t = useText()
  const maySeeLog = useRight('audit.read')
  return (
    <>
      <Usages section={section} />
      <LinkButton
        to="/admin/sections/$section/$locale/history"
        params={{ section: section.id, locale }}
        leftSection={<History />}
      >
        {t('pages.history.title')}
      </LinkButton>
      {maySeeLog && (
        <TextLink to="/admin/audit" search={{ area: 'pages', search: section.name }}>
          {t('blocks.sections.changes')}
        </TextLink>
      )}
      {section.can.change && <DeleteSection section={section} />}
    </>
  )
}

/** The pages and sections that show a section. */
function Usages({ section: { usages } }: { section: Section }) {
  const t = useText()
  const mainLocale = useMainLocale()
  const { pages, sections } = usages
  if (pages.length + sections.length === 0) return <p className="quiet flush">{t('blocks.sections.usedNowhere')}</p>
  return (
    <div>
      <p className="flush">{t('blocks.sections.usedIn')}</p>
      <ul className={styles.usages}>
        {pages.map(({ id, title }) => (
          <li key={id}>
            <TextLink to="/admin/pages/$id/$locale" params={{ id: String(id), locale: mainLocale }}>
              <bdi>{title}</bdi>
            </TextLink>
          </li>
        ))}
        {sections.map(({ id, name }) => (
          <li key={id}>
            {t('blocks.sections.one')}:{' '}
            <TextLink to="/admin/sections/$section" params={{ section: id }}>
              <bdi>{name}</bdi>
            </TextLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

function DeleteSection({ section }: { section: Section }) {
  const t = useText()
  const reasonId = useId()
  const name = <bdi>{section.name}</bdi>
  return (
    <>
      {!section.can.delete && (
        <p id={reasonId} className="quiet flush">
          {t('blocks.sections.inUse')}
        </p>
      )}
      <DeleteButton
        type={t('blocks.sections.type')}
        text={<Translated text="blocks.sections.deleteText" name={name} />}
        remove={() => parseResponse(api.sections[':id'].$delete({ param: { id: section.id } }))}
        deleted={<Translated text="blocks.sections.deleted" name={name} />}
        notDeleted={t('blocks.sections.notDeleted')}
        list="/admin/sections"
        queryKey={sectionQuery(section.id).queryKey}
        staleKeys={['sections']}
        disabled={!section.can.delete}
        describedBy={section.can.delete ? undefined : reasonId}
      />
    </>
  )
}
