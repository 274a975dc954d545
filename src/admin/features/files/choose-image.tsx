import { Button, type ButtonProps } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'

const FilePicker = lazyPart(async () => (await import('./file-picker.tsx')).FilePicker)

/** A button that opens the file picker to choose an image. @param props.onChoose gets the URL of the image */
export function ChooseImage({
  onChoose,
  ...buttonProps
}: ButtonProps & Pick<ComponentProps<'button'>, 'aria-invalid'> & { onChoose: (url: string) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button {...buttonProps} onClick={() => void openWhenLoaded(FilePicker, () => setIsOpen(true))} />
      {isOpen && (
        <FilePicker
          kind="picture"
          onClose={() => setIsOpen(false)}
          onChoose={({ url }) => {
            setIsOpen(false)
            onChoose(url)
          }}
        />
      )}
    </>
  )
}
