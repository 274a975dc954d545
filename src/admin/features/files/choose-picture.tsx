import { Button, type ButtonProps } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'

const FilePicker = lazyPart(async () => (await import('./file-picker.tsx')).FilePicker)

/** A button that opens the files, to choose a picture. @param onChoose gets its address */
export function ChoosePicture({
  onChoose,
  ...button
}: ButtonProps & Pick<ComponentProps<'button'>, 'aria-invalid'> & { onChoose: (url: string) => void }) {
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => void openWhenLoaded(FilePicker, () => setChoosing(true))} />
      {choosing && (
        <FilePicker
          kind="picture"
          onClose={() => setChoosing(false)}
          onChoose={({ url }) => {
            setChoosing(false)
            onChoose(url)
          }}
        />
      )}
    </>
  )
}
