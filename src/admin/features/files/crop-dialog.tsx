import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { CropArea, StoredFile } from '../../../contract/files.ts'
import type { ListOf } from '../../../contract/list.ts'
import { api, parseResponse } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SaveFailure } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { CropImage } from './crop-image.tsx'
import { mayCrop } from './files.ts'
import { updateFileCache } from './save-file.ts'

/** A dialog to crop an image where it is used. The crop belongs to the file, so it applies wherever that is used. */
export function CropDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const [publicId] = publicFileIdsIn(url)
  const {
    data: file,
    error,
    refetch,
  } = useQuery({
    queryKey: ['files', 'of-url', publicId],
    // Null if no file has the URL.
    queryFn: async (): Promise<StoredFile | null> => {
      if (!publicId) return null
      const list: ListOf<StoredFile> = await parseResponse(api.files.$get({ query: { publicId } }))
      return list.data[0] ?? null
    },
    // Never cached, so that an outdated crop is not shown first.
    staleTime: 0,
    gcTime: 0,
  })
  const save = useMutation({
    mutationFn: ({ id, version, crop }: Pick<StoredFile, 'id' | 'version' | 'crop'>): Promise<StoredFile> =>
      parseResponse(api.files[':id'].$put({ param: { id: String(id) }, json: { crop, version } })),
    onSuccess(saved) {
      updateFileCache(queries, saved)
      notify(t('files.saved'))
      onClose()
    },
    // Another user may have changed the file, so its current version is shown.
    onError: () => void refetch(),
  })
  return (
    <Dialog title={t('files.crop')} wide onClose={onClose}>
      {file === undefined && <LoadingOrError error={error} refetch={refetch} rows={4} />}
      {save.error && <SaveFailure title={t('files.notSaved')} error={save.error} unplaced={[]} />}
      {file !== undefined &&
        (file && mayCrop(file) ? (
          <CropForm key={file.version} file={file} onDone={(crop) => save.mutate({ ...file, crop })} />
        ) : (
          <p>{t('files.notCroppable')}</p>
        ))}
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}

function CropForm({ file, onDone }: { file: StoredFile; onDone: (crop: CropArea | null) => void }) {
  const t = useText()
  const [crop, setCrop] = useState<CropArea | null>(file.crop)
  return (
    <>
      <p className="flush">{t('files.cropEverywhere')}</p>
      <CropImage
        src={file.whole ?? ''}
        width={file.width ?? 0}
        height={file.height ?? 0}
        crop={crop}
        onCrop={setCrop}
        onDone={() => onDone(crop)}
      />
    </>
  )
}
