import { Alert, Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { CopyButton } from '../../components/copy-button.tsx'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { useText } from '../../i18n.ts'
import styles from './profile.module.css'

/** Shown this once. They go away only when the person says that they are kept. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const t = useText()
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`
  return (
    <Alert role="status" title={t('profile.codes.title')}>
      <KeepChanges
        when
        asked={{
          title: t('profile.codes.leaveTitle'),
          text: t('profile.codes.leaveText'),
          yes: t('profile.codes.leave'),
        }}
      />
      <p className="flush">{t('profile.codes.text')}</p>
      <ul className={styles.codes} dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <Button onClick={onKept}>{t('profile.codes.kept')}</Button>
        <Button
          component="a"
          href={file}
          download={t('profile.codes.file')}
          variant="default"
          leftSection={<Download size={18} aria-hidden />}
        >
          {t('profile.codes.download')}
        </Button>
        <CopyButton text={text} />
      </div>
    </Alert>
  )
}
