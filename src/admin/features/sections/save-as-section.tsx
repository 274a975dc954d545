import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newBlock } from '../../../blocks/fields.ts'
import { limits } from '../../../contract/limits.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { ApiRefusal } from '../../client.ts'
import { DialogForm } from '../../components/dialog.tsx'
import { SaveFailure } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName, summaryOf } from '../blocks/block-names.tsx'
import { useFillPlaceholders } from '../blocks/preview-data.ts'
import { postSection } from './sections.ts'

export interface BlocksToSave {
  /** The block to save, and those after it, which can be saved with it. */
  blocks: readonly StoredBlock[]
  locale: Locale
  /** Replaces the first `count` blocks by a block that shows the section; undefined where that is not allowed. */
  onReplace: ((count: number, section: StoredBlock) => void) | undefined
}

/** A dialog that saves a block, alone or with some that follow it, as a section. */
export function SaveAsSection({ blocks, locale, onReplace, onClose }: BlocksToSave & { onClose: () => void }) {
  const t = useText()
  const uiLocale = useLocale()
  const fill = useFillPlaceholders(locale)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [count, setCount] = useState(1)
  const [replaces, setReplaces] = useState(onReplace !== undefined)
  const save = useMutation({
    mutationFn: () => postSection(name, { [locale]: blocks.slice(0, count) }),
    onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: ['sections'] })
      notify(<Translated text="blocks.sections.savedAs" name={<bdi>{name}</bdi>} />)
      onClose()
      if (replaces) onReplace?.(count, { ...newBlock('section', locale), section: id } as StoredBlock)
    },
  })
  const problems = save.error instanceof ApiRefusal ? save.error.problem.errors : []
  const nameProblem = problems.find(({ path }) => path === 'name')?.message
  const lastBlockOptions = blocks.slice(0, limits.sectionBlocks).map((block, index) => {
    const summary = summaryOf(block, fill)
    return { value: String(index + 1), label: `${blockName(block.type, uiLocale)}${summary && ` · ${summary}`}` }
  })
  return (
    <DialogForm
      title={t('blocks.sections.saveAsTitle')}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      yes={t('form.save')}
      saving={save.isPending}
    >
      {save.error && !nameProblem && (
        <SaveFailure
          key={save.failureCount}
          title={t('blocks.sections.notSavedAs')}
          error={save.error}
          unplaced={problems}
        />
      )}
      <TextInput
        label={t('blocks.sections.name')}
        required
        data-autofocus
        maxLength={limits.sectionNameChars}
        error={nameProblem}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {lastBlockOptions.length > 1 && (
        <NativeSelect
          label={t('blocks.sections.upTo')}
          data={lastBlockOptions}
          value={String(count)}
          onChange={(event) => setCount(Number(event.currentTarget.value))}
        />
      )}
      {onReplace && (
        <Switch
          label={t('blocks.sections.shareHere')}
          description={t('blocks.sections.shareHereHelp')}
          checked={replaces}
          onChange={(event) => setReplaces(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  )
}
