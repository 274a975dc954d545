import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CropArea, StoredFile } from '../../../contract/files.ts'
import { api, parseResponse } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { CropImage } from './crop-image.tsx'
import { fileOfUrlQuery, mayCrop } from './files.ts'
import { updateFileCache } from './save-file.ts'

/** Crops an image where it is used: the file itself changes, so it is cropped everywhere. */
export function CropDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const t = useText()
  const { data: file, error, refetch } = useQuery(fileOfUrlQuery(url))
  return (
    <Dialog title={t('files.crop')} wide onClose={onClose}>
      {file === undefined && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={4} />)}
      {file !== undefined &&
        (file && mayCrop(file) ? <Crop file={file} onClose={onClose} /> : <p>{t('files.notCroppable')}</p>)}
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}

function Crop({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const [crop, setCrop] = useState<CropArea | null>(file.crop)
  const save = useMutation({
    mutationFn: (): Promise<StoredFile> =>
      parseResponse(api.files[':id'].$put({ param: { id: String(file.id) }, json: { crop, version: file.version } })),
    onSuccess(saved) {
      updateFileCache(queries, saved)
      notify(t('files.saved'))
      onClose()
    },
    onError: (error) => notifyFailure(t('files.notSaved'), error),
  })
  return (
    <>
      <p className="flush">{t('files.cropEverywhere')}</p>
      <CropImage
        src={file.whole ?? ''}
        width={file.width ?? 0}
        height={file.height ?? 0}
        crop={crop}
        onCrop={setCrop}
        onDone={() => save.mutate()}
      />
    </>
  )
}
