import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useText } from '../i18n.ts'

/** Searches while one types, and at once by Enter. */
export function SearchField(props: { label: string; value: string | undefined; onSearch: (text: string) => void }) {
  const { label, value = '', onSearch } = props
  const t = useText()
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const send = (text: string) => {
    sent.current = text
    onSearch(text)
  }
  const sendSoon = useDebouncedCallback(send, 250)
  // The address changes without us too: by the back button, by a link.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])

  const type = (text: string) => {
    setTyped(text)
    sendSoon(text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sendSoon.cancel()
    send(typed)
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          name="search"
          aria-label={label}
          placeholder={label}
          leftSection={<Search size={18} aria-hidden />}
          rightSection={typed && <CloseButton size={36} aria-label={t('form.list.clear')} onClick={() => type('')} />}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}
