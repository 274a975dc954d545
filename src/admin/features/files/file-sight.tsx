import { Alert, Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoredFile } from '../../../contract/files.ts'
import { answer, api } from '../../client.ts'
import { later } from '../../components/later.tsx'
import { tellFailure } from '../../components/notify.tsx'
import { Section } from '../../components/section.tsx'
import { Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import type { FileValues } from './file-values.ts'
import { FocalPoint } from './focal-point.tsx'
import { showSaved } from './save-file.ts'

// Few ever crop, so what it takes comes when one does.
const CropPicture = later(async () => (await import('./crop-picture.tsx')).CropPicture, <Waiting rows={3} />)

/** What is seen of a picture: all of it or a part, and what of it must stay in sight. */
export function FileSight(props: { file: StoredFile; form: UseFormReturnType<FileValues>; fixed: boolean }) {
  const { file, form, fixed } = props
  const t = useText()
  const [cropping, setCropping] = useState(false)
  const { crop, focalX, focalY } = form.getValues()
  const mayCrop =
    !fixed && !file.animated && file.whole !== null && file.picture !== null && file.picture.sources.length > 0
  return (
    <Section
      title={t('files.look')}
      lead={crop ? t('files.cropAt', { width: crop.width, height: crop.height }) : undefined}
      actions={
        mayCrop &&
        !cropping && (
          <Button variant="default" onClick={() => setCropping(true)}>
            {t('files.cropStart')}
          </Button>
        )
      }
    >
      <Making file={file} />
      {cropping && file.whole ? (
        <CropPicture
          src={file.whole}
          width={file.width ?? 0}
          height={file.height ?? 0}
          crop={crop}
          onCrop={(area) => form.setFieldValue('crop', area)}
          onDone={() => setCropping(false)}
        />
      ) : (
        file.whole && (
          <FocalPoint
            src={file.whole}
            whole={{ width: file.width ?? 1, height: file.height ?? 1 }}
            crop={crop}
            x={focalX}
            y={focalY}
            fixed={fixed}
            onChange={(x, y) => form.setValues({ focalX: x, focalY: y })}
          />
        )
      )}
    </Section>
  )
}

/** That the widths are on their way, or could not be made. */
function Making({ file }: { file: StoredFile }) {
  const t = useText()
  const queries = useQueryClient()
  const again = useMutation({
    mutationFn: () => answer(api.files[':id'].pictures.$post({ param: { id: String(file.id) } })),
    onSuccess: (saved) => showSaved(queries, saved),
    onError: (error) => tellFailure(t('files.failedMade'), error),
  })
  if (file.state === 'ready') return null
  if (file.state === 'waiting') {
    return (
      <Alert role="status" title={t('files.beingMade')}>
        {t('files.beingMadeText')}
      </Alert>
    )
  }
  return (
    <Alert color="red" role="alert" title={t('files.failedMade')}>
      <div className="stack">
        {t('files.failedMadeText')}
        {file.can.change && (
          <div>
            <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
              {t('files.makeAgain')}
            </Button>
          </div>
        )}
      </div>
    </Alert>
  )
}
