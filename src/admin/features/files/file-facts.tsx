import type { FileWithPlaces } from '../../../contract/files.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { Said } from '../../components/said.tsx'
import { Facts, Section } from '../../components/section.tsx'
import { type Say, useLocale, useText } from '../../i18n.ts'
import { changeLabel } from '../config/changed-value.tsx'
import styles from './file-facts.module.css'
import { sizeText } from './files.ts'

/** What is known of a file and not for changing here. */
export function FileFacts({ file }: { file: FileWithPlaces }) {
  const t = useText()
  const locale = useLocale()
  const { width, height, bytes, type, addedBy, createdAt, updatedAt, url } = file
  return (
    <Section title={t('files.about')}>
      <div>
        <p className="flush quiet small">{t('files.address')}</p>
        <div className={styles.address}>
          <a href={url} target="_blank" rel="noopener" dir="ltr">
            {decodeURI(url)}
          </a>
          <CopyButton text={url} />
        </div>
        <p className="flush quiet small">{t('files.addressHelp')}</p>
      </div>
      <Facts
        facts={[
          ...(width && height ? [{ label: t('files.original'), value: t('files.pixels', { width, height }) }] : []),
          { label: t('files.size'), value: sizeText(bytes, t, locale) },
          { label: t('files.format'), value: <bdi dir="ltr">{type}</bdi> },
          { label: t('files.addedBy'), value: <bdi>{addedBy}</bdi> },
          { label: t('files.added'), value: <Moment at={createdAt} /> },
          { label: t('files.changed'), value: <Moment at={updatedAt} /> },
        ]}
      />
    </Section>
  )
}

/** `navbar.top` is an area, everything else a part. */
const configPlace = (name: string, t: Say) =>
  changeLabel(name.includes('.') ? ['branding', ...name.split('.')] : [name], t)

/** Where it stands. */
export function FilePlaces({ file: { places } }: { file: FileWithPlaces }) {
  const t = useText()
  return (
    <Section title={t('files.usedIn')}>
      {places.length === 0 ? (
        <p className="flush">{t('files.usedNowhere')}</p>
      ) : (
        <ul className={styles.places}>
          {places.map(({ type, name, id }) => (
            <li key={`${type}${id ?? name}`}>
              <Said
                text={`files.places.${type}`}
                name={<bdi>{type === 'configuration' ? configPlace(name, t) : name}</bdi>}
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
