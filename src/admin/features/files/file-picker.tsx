import { Button } from '@mantine/core'
import { useState } from 'react'
import type { FileKind } from '../../../contract/file-types.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { FileList } from './file-list.tsx'
import styles from './file-picker.module.css'
import type { FileSearch } from './files.ts'
import { UploadArea } from './upload-area.tsx'
import { useOwnUploads } from './use-uploads.ts'

interface FilePickerProps {
  /** One kind alone, like `picture`. */
  kind?: FileKind
  onChoose: (file: StoredFile) => void
  onClose: () => void
}

/**
 * Chooses a file from those that are there, or uploads one: a single upload of the right kind is the choice. For every
 * screen that lets one choose; what is kept of the choice is `file.url`.
 */
export function FilePicker(props: FilePickerProps) {
  const { kind, onClose } = props
  const t = useText()
  const mayWrite = useRight('files.write')
  return (
    <Dialog title={t(kind === 'picture' ? 'files.picker.pictureTitle' : 'files.picker.title')} wide onClose={onClose}>
      <div className={styles.picker}>{mayWrite ? <WithUploads {...props} /> : <Files {...props} />}</div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('form.cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function WithUploads(props: FilePickerProps) {
  const { kind, onChoose } = props
  const work = useOwnUploads((file) => {
    if (work.queue.get().length === 1 && (!kind || file.kind === kind)) onChoose(file)
  })
  return (
    <UploadArea work={work} folder={undefined}>
      <Files {...props} />
    </UploadArea>
  )
}

/** What one looks for stands here and not in the address, which belongs to the screen behind it. */
function Files({ kind, onChoose }: FilePickerProps) {
  const t = useText()
  const [search, setSearch] = useState<FileSearch>({})
  const change = (changes: Partial<FileSearch>) => setSearch((before) => ({ ...before, page: undefined, ...changes }))
  return (
    <FileList
      search={search}
      change={change}
      kind={kind}
      onChoose={onChoose}
      pager={({ page, pageSize, total, more }) =>
        (total > pageSize || more) && (
          <div className="row">
            <Button variant="default" disabled={page === 1} onClick={() => setSearch({ ...search, page: page - 1 })}>
              {t('form.list.previous')}
            </Button>
            <Button
              variant="default"
              disabled={!more && page * pageSize >= total}
              onClick={() => setSearch({ ...search, page: page + 1 })}
            >
              {t('form.list.next')}
            </Button>
          </div>
        )
      }
    />
  )
}
