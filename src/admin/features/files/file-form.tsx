import { Alert, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { FileWithPlaces, StoredFile } from '../../../contract/files.ts'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { NotSaved, SaveBar } from '../../components/save-bar.tsx'
import { Beside, Section } from '../../components/section.tsx'
import { useVersionedForm } from '../../components/versioned-form.ts'
import { useText } from '../../i18n.ts'
import { FileFacts, FilePlaces } from './file-facts.tsx'
import { FileSight } from './file-sight.tsx'
import { endingOf, type FileValues, fieldOf, valuesOf } from './file-values.ts'
import { fileChoicesQuery } from './files.ts'
import { useSaveFile } from './save-file.ts'
import { StaleFile } from './stale-file.tsx'

export function FileForm({ file }: { file: FileWithPlaces }) {
  const t = useText()
  const folders = useId()
  const { data: choices } = useQuery(fileChoicesQuery)
  const save = useSaveFile(file)
  const work = useVersionedForm<StoredFile, FileValues>({
    thing: file,
    valuesOf,
    save: (values, version) => save.mutateAsync({ values, version }),
    fieldOf,
  })
  const { form, dirty, stale, failure } = work
  const fixed = !file.can.change
  const isPicture = file.kind === 'picture'
  return (
    <form onSubmit={work.onSubmit} noValidate>
      <KeepChanges when={dirty} />
      <Beside
        main={
          <>
            {fixed && <Alert>{t('files.readOnly')}</Alert>}
            {failure && <NotSaved key={failure.count} title={t('files.notSaved')} {...failure} />}
            {isPicture && <FileSight file={file} form={form} fixed={fixed} />}
            <Section title={t('files.describe')}>
              {isPicture && (
                <>
                  <TextInput
                    label={t('files.altNl')}
                    description={t('files.altHelp')}
                    lang="nl"
                    disabled={fixed}
                    {...form.getInputProps('altNl')}
                  />
                  <TextInput label={t('files.altFa')} lang="fa" disabled={fixed} {...form.getInputProps('altFa')} />
                </>
              )}
              <TextInput
                label={t('files.name')}
                description={t('files.nameHelp')}
                required
                disabled={fixed}
                autoComplete="off"
                rightSection={
                  <span className="quiet small" dir="ltr">
                    {endingOf(file.name)}
                  </span>
                }
                rightSectionWidth="4rem"
                {...form.getInputProps('name')}
              />
              <TextInput
                label={t('files.folder')}
                description={t('files.folderHelp')}
                disabled={fixed}
                autoComplete="off"
                list={folders}
                {...form.getInputProps('folder')}
              />
              <datalist id={folders}>
                {choices?.folders.map(({ name }) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </Section>
            {!fixed && (
              <SaveBar saving={work.saving}>
                <LinkButton to="/admin/files" variant="default">
                  {t('form.cancel')}
                </LinkButton>
              </SaveBar>
            )}
          </>
        }
        aside={
          <>
            <FileFacts file={file} />
            <FilePlaces file={file} />
          </>
        }
      />
      {stale && <StaleFile mine={form.getValues()} {...stale} />}
    </form>
  )
}
