import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import type { Locale } from '../../../contract/locales.ts'
import { randomId } from '../../../contract/random-id.ts'
import type { Section } from '../../../contract/sections.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { api, parseResponse, Refused } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SaveFailure } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName, summaryOf } from '../blocks/block-names.tsx'
import { useFillPlaceholders } from '../blocks/preview-data.ts'

export interface Keepable {
  /** The block and those after it, which can be kept with it. */
  blocks: readonly StoredBlock[]
  locale: Locale
  /** Puts the section in the place of the first blocks; undefined where no section can stand. */
  onReplace: ((count: number, section: StoredBlock) => void) | undefined
}

/** Keeps one block, or it and some after it, under a name. */
export function KeepSection({ blocks, locale, onReplace, onClose }: Keepable & { onClose: () => void }) {
  const t = useText()
  const uiLocale = useLocale()
  const fill = useFillPlaceholders(locale)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [count, setCount] = useState(1)
  const [shared, setShared] = useState(onReplace !== undefined)
  const keep = useMutation({
    mutationFn: (): Promise<Section> =>
      parseResponse(api.sections.$post({ json: { name, [locale]: blocks.slice(0, count) as never[] } })),
    onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: ['sections'] })
      notify(<Translated text="blocks.sections.kept" name={<bdi>{name}</bdi>} />)
      onClose()
      if (shared) onReplace?.(count, { type: 'section', id: randomId(), section: id } as never)
    },
  })
  const problems = keep.error instanceof Refused ? keep.error.problem.errors : []
  const wrongName = problems.find(({ path }) => path === 'name')?.message
  const shown = blocks.slice(0, limits.sectionBlocks).map((block, index) => {
    const summary = summaryOf(block, fill)
    return { value: String(index + 1), label: `${blockName(block.type, uiLocale)}${summary && ` · ${summary}`}` }
  })
  return (
    <Dialog title={t('blocks.sections.keepTitle')} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // The form of the page is around it.
          event.stopPropagation()
          keep.mutate()
        }}
      >
        {keep.error && !wrongName && (
          <SaveFailure
            key={keep.failureCount}
            title={t('blocks.sections.notKept')}
            error={keep.error}
            unplaced={problems}
          />
        )}
        <TextInput
          label={t('blocks.sections.name')}
          required
          data-autofocus
          dir="auto"
          autoComplete="off"
          maxLength={limits.sectionNameChars}
          error={wrongName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {shown.length > 1 && (
          <NativeSelect
            label={t('blocks.sections.upTo')}
            data={shown}
            value={String(count)}
            onChange={(event) => setCount(Number(event.currentTarget.value))}
          />
        )}
        {onReplace && (
          <Switch
            label={t('blocks.sections.shareHere')}
            description={t('blocks.sections.shareHereHelp')}
            checked={shared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={keep.isPending}>
            {t('form.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
