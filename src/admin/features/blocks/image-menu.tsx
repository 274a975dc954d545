import { TextInput } from '@mantine/core'
import { Crop, Images, MessageSquareText } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { altIn } from '../../../contract/images.ts'
import type { Locale } from '../../../contract/locales.ts'
import { DialogForm } from '../../components/dialog.tsx'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'
import { useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { useRight } from '../sign-in/me.ts'
import type { BlockImage } from './block-images.ts'
import type { CanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

const FilePicker = lazyPart(async () => (await import('../files/file-picker.tsx')).FilePicker)
const CropDialog = lazyPart(async () => (await import('../files/crop-dialog.tsx')).CropDialog)

/** An image that was clicked on the page. */
export interface ClickedImage {
  blockId: string
  blockImage: BlockImage
  /** Where the menu is, in pixels of the screen: at the centre of the image, but not below the canvas. */
  x: number
  y: number
  /** How far the page was scrolled when the image was at `y`, in pixels of the page. */
  scrollY: number
  /** In pixels of the screen. */
  canvasWidth: number
}

/** The actions on an image, at the image itself. The form of its block has the same, for keyboard users. */
export default function ImageMenu(props: {
  clicked: ClickedImage
  actions: CanvasActions
  locale: Locale
  onClose: () => void
}) {
  const { clicked, actions, locale, onClose } = props
  const { blockId, blockImage, x, y, canvasWidth } = clicked
  const t = useText()
  const mayCrop = useRight('files.write') && publicFileIdsIn(blockImage.url).length > 0
  const [openDialog, setOpenDialog] = useState<'replace' | 'crop' | 'describe'>()
  const { altPath } = blockImage
  const hasImage = blockImage.url !== ''
  const replace = (file: StoredFile) => {
    actions.setImage(blockId, blockImage, file.url, blockImage.alt ? undefined : altIn(file.alt, locale))
    onClose()
  }
  return (
    <>
      <fieldset
        aria-label={t('blocks.visual.image.label')}
        className={styles.imageMenu}
        style={{ '--x': `${x}px`, '--y': `${y}px`, '--room': `${canvasWidth}px` } as CSSProperties}
      >
        <button type="button" onClick={() => void openWhenLoaded(FilePicker, () => setOpenDialog('replace'))}>
          <Images />
          {t(hasImage ? 'blocks.visual.image.replace' : 'blocks.image.choose')}
        </button>
        {mayCrop && (
          <button type="button" onClick={() => void openWhenLoaded(CropDialog, () => setOpenDialog('crop'))}>
            <Crop />
            {t('blocks.visual.image.crop')}
          </button>
        )}
        {hasImage && altPath && (
          <button type="button" onClick={() => setOpenDialog('describe')}>
            <MessageSquareText />
            {t('blocks.visual.image.describe')}
          </button>
        )}
      </fieldset>
      {openDialog === 'replace' && <FilePicker kind="picture" onChoose={replace} onClose={onClose} />}
      {openDialog === 'crop' && <CropDialog url={blockImage.url} onClose={onClose} />}
      {openDialog === 'describe' && altPath && (
        <Describe
          alt={blockImage.alt}
          locale={locale}
          onClose={onClose}
          onDescribe={(alt) => {
            actions.changeTexts(blockId, { [altPath]: alt })
            onClose()
          }}
        />
      )}
    </>
  )
}

/** Edits the description of an image. When the page is published, a file without a description gets this one. */
function Describe(props: { alt: string; locale: Locale; onDescribe: (alt: string) => void; onClose: () => void }) {
  const { locale, onDescribe, onClose } = props
  const t = useText()
  const [alt, setAlt] = useState(props.alt)
  return (
    <DialogForm
      title={t('blocks.visual.image.describe')}
      onClose={onClose}
      onSubmit={() => onDescribe(alt)}
      yes={t('blocks.visual.image.done')}
    >
      <TextInput
        data-autofocus
        label={t('blocks.visual.image.description')}
        description={t('blocks.image.altHelp')}
        lang={locale}
        dir={useContentDirection(locale)}
        value={alt}
        onChange={(event) => setAlt(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
