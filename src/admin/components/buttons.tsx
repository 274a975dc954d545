import { ActionIcon, type ActionIconProps, Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import { Check, Copy, Download, LucideProvider, Plus, X } from 'lucide-react'
import {
  type AnchorHTMLAttributes,
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useState,
} from 'react'
import { useText } from '../i18n.ts'

/**
 * The element of Mantine buttons: see `theme.ts`. Mantine disables a button while it is `loading`, and a disabled
 * element loses the focus: a busy or focused button keeps it, and ignores presses instead.
 */
export function FocusableButton(props: ComponentProps<'button'> & { 'data-loading'?: boolean }) {
  const { type = 'button', disabled = false, onClick, onFocus, onBlur, ...others } = props
  const [hasFocus, setHasFocus] = useState(false)
  const isFocusable = !disabled || hasFocus || others['data-loading'] === true
  return (
    <button
      {...others}
      type={type}
      disabled={!isFocusable}
      aria-disabled={(disabled && isFocusable) || others['aria-disabled']}
      // Pressing a submit button would otherwise submit its form.
      onClick={disabled ? (event) => event.preventDefault() : onClick}
      onFocus={(event) => {
        setHasFocus(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        // Not when the window loses the focus, which the button gets back with it.
        if (document.activeElement !== event.currentTarget) setHasFocus(false)
        onBlur?.(event)
      }}
    />
  )
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> & { ref?: Ref<HTMLAnchorElement> }

export const LinkButton = createLink((props: ButtonProps & LinkProps) => <Button component="a" {...props} />)

/** A link in text or in a list, in the font of the text around it. */
export const TextLink = createLink((props: AnchorProps & LinkProps) => <Anchor underline="hover" inherit {...props} />)

/** A button that adds an item to a list. */
export const AddButton = (props: ButtonProps & { 'aria-label'?: string | undefined; onClick: () => void }) => (
  <Button leftSection={<Plus />} {...props} />
)

/** A button with only an icon. The label is for screen readers, and is the tooltip unless `title` is given. */
export const IconButton = ({
  label,
  icon,
  ...props
}: Omit<ActionIconProps & ComponentProps<'button'>, 'children' | 'style'> & { label: string; icon: ReactNode }) => (
  <ActionIcon aria-label={label} title={label} {...props}>
    <LucideProvider size={20}>{icon}</LucideProvider>
  </ActionIcon>
)

export function DownloadButton({
  label,
  download,
}: {
  label: string
  download: { isPending: boolean; mutate: () => void }
}) {
  return (
    <Button leftSection={<Download />} loading={download.isPending} onClick={() => download.mutate()}>
      {label}
    </Button>
  )
}

/** A button that copies a text to the clipboard, and shows for two seconds whether it did. */
export function CopyButton({ text }: { text: string }) {
  const t = useText()
  const [result, setResult] = useState<'copied' | 'notCopied'>()
  const copy = async (event: MouseEvent<HTMLElement>) => {
    setResult((await copyText(text, event.currentTarget)) ? 'copied' : 'notCopied')
    setTimeout(() => setResult(undefined), 2_000)
  }
  const label = t(`form.${result ?? 'copy'}`)
  const Icon = result === 'copied' ? Check : result ? X : Copy
  return <IconButton label={label} icon={<Icon />} onClick={(event) => void copy(event)} />
}

/**
 * Copies a text. Without `navigator.clipboard`, which needs https or localhost and may refuse, it copies a selection.
 * @returns whether it was copied
 */
async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  const writing = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  if (await writing) return true
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  // Inside the dialog of the button, because the rest of the page is inert.
  button.after(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  button.focus()
  return isCopied
}
