import { Button } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import type { FileKind } from '../../../contract/file-types.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { FileList } from './file-list.tsx'
import type { FileSearch } from './files.ts'
import { UploadArea, useSeparateUploads } from './upload-area.tsx'

interface FilePickerProps {
  /** Limits the choice to this kind. */
  kind?: FileKind
  onChoose: (file: StoredFile) => void
  onClose: () => void
}

/**
 * Chooses a file from the list, or uploads one: a single upload of the right kind is chosen when it is stored, if the
 * dialog is still open. Content refers to it by `file.url`.
 */
export function FilePicker(props: FilePickerProps) {
  const { kind, onClose } = props
  const t = useText()
  const mayWrite = useRight('files.write')
  return (
    <Dialog title={t(kind === 'picture' ? 'files.picker.imageTitle' : 'files.picker.title')} wide onClose={onClose}>
      <div className="stack">{mayWrite ? <WithUploads {...props} /> : <Files {...props} />}</div>
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}

function WithUploads(props: FilePickerProps) {
  const { kind, onChoose } = props
  // Undefined once the dialog is closed: an upload that ends later is stored, but not chosen.
  const choose = useRef<typeof onChoose>(undefined)
  useLayoutEffect(() => {
    choose.current = onChoose
    return () => {
      choose.current = undefined
    }
  }, [onChoose])
  const uploads = useSeparateUploads((file) => {
    if (uploads.queue.get().length === 1 && (!kind || file.kind === kind)) choose.current?.(file)
  })
  return (
    <UploadArea work={uploads} folder={undefined}>
      <Files {...props} />
    </UploadArea>
  )
}

/** The search is in the component's state: the URL belongs to the screen behind the dialog. */
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
      pager={({ meta: { page, pageSize, total, more } }) =>
        (total > pageSize || more || page > 1) && (
          <div className="row">
            <Button disabled={page === 1} onClick={() => setSearch({ ...search, page: page - 1 })}>
              {t('form.list.previous')}
            </Button>
            <Button
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
