import { Link } from '@tanstack/react-router'
import type { StoredFile } from '../../../contract/files.ts'
import { useLocale, useText } from '../../i18n.ts'
import styles from './file-grid.module.css'
import { FilePicture } from './file-picture.tsx'
import { sizeText } from './files.ts'

/** Files side by side. @param props.onChoose makes them choices; without it each leads to its own screen */
export function FileGrid(props: { files: StoredFile[]; old: boolean; onChoose?: (file: StoredFile) => void }) {
  const { files, old, onChoose } = props
  const t = useText()
  return (
    <ul className={styles.grid} aria-label={t('files.title')} aria-busy={old}>
      {files.map((file) => (
        <li key={file.id}>
          {onChoose ? (
            <button
              type="button"
              className={styles.card}
              aria-label={t('files.picker.use', { name: file.name })}
              onClick={() => onChoose(file)}
            >
              <Card file={file} />
            </button>
          ) : (
            <Link to="/admin/files/$id" params={{ id: String(file.id) }} className={styles.card}>
              <Card file={file} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Card({ file }: { file: StoredFile }) {
  const t = useText()
  const locale = useLocale()
  const undescribed = file.kind === 'picture' && file.alt.nl === ''
  return (
    <>
      <FilePicture file={file} sizes="(width < 30em) 45vw, 15rem" />
      <span className={styles.words}>
        <span className={styles.name}>
          <bdi>{file.name}</bdi>
        </span>
        <span className="quiet small">
          {sizeText(file.bytes, t, locale)}
          {file.folder && (
            <>
              {' · '}
              <bdi>{file.folder}</bdi>
            </>
          )}
        </span>
        {undescribed && <span className="quiet small">{t('files.noAlt')}</span>}
      </span>
    </>
  )
}
