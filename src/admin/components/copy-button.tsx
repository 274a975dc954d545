import { ActionIcon } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../i18n.ts'

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text }: { text: string }) {
  const t = useText()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  const label = t(copied ? 'form.copied' : 'form.copy')
  return (
    <ActionIcon aria-label={label} title={label} onClick={() => void copy()}>
      {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
    </ActionIcon>
  )
}
