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
  /** Offers only files of this kind. */
  kind?: FileKind
  onChoose: (file: StoredFile) => void
  onClose: () => void
}

/**
 * A dialog to choose a file from the list, or to upload one. If only one file is uploaded and it has the right kind, it
 * is chosen when it is stored, unless the dialog was closed.
 */
export function FilePicker(props: FilePickerProps) {
  const { kind, onClose } = props
  const t = useText()
  const mayWrite = useRight('files.write')
  return (
    <Dialog title={t(kind === 'picture' ? 'files.picker.imageTitle' : 'files.picker.title')} wide onClose={onClose}>
      <div className="stack">{mayWrite ? <FilesWithUploads {...props} /> : <Files {...props} />}</div>
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}

function FilesWithUploads(props: FilePickerProps) {
  const { kind, onChoose } = props
  // Undefined after the dialog was closed: an upload that ends later is stored, but not chosen.
  const onChooseWhileOpen = useRef<typeof onChoose>(undefined)
  useLayoutEffect(() => {
    onChooseWhileOpen.current = onChoose
    return () => {
      onChooseWhileOpen.current = undefined
    }
  }, [onChoose])
  const uploads = useSeparateUploads((file) => {
    if (uploads.queue.getUploads().length === 1 && (!kind || file.kind === kind)) onChooseWhileOpen.current?.(file)
  })
  return (
    <UploadArea uploads={uploads}>
      <Files {...props} />
    </UploadArea>
  )
}

/** The list with its search in the component's state, because the URL belongs to the screen behind the dialog. */
function Files({ kind, onChoose }: FilePickerProps) {
  const t = useText()
  const [search, setSearch] = useState<FileSearch>({})
  const change = (changes: Partial<FileSearch>) => setSearch((current) => ({ ...current, page: undefined, ...changes }))
  return (
    <FileList
      search={search}
      change={change}
      kind={kind}
      onChoose={onChoose}
      renderPager={({ meta: { page, pageSize, total, more } }) =>
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
