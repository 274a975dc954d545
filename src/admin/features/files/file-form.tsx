import { Alert, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import type { CropArea, FileWithUsages, StoredFile } from '../../../contract/files.ts'
import { CopyButton } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { SaveBar } from '../../components/form.tsx'
import { Facts, Section, TwoColumns } from '../../components/page.tsx'
import { Translated } from '../../components/translated.tsx'
import { type Difference, useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { useLanguageIn, useLocale, useText } from '../../i18n.ts'
import { useSiteLanguages } from '../../site-languages.ts'
import { configLabel } from '../config/changed-value.tsx'
import styles from './files.module.css'
import { fileLibraryQuery, formatFileSize } from './files.ts'
import { ImageEditor } from './image-editor.tsx'
import { extensionOf, type FileValues, fileFormValues, useSaveFile } from './save-file.ts'

export function FileForm({ file }: { file: FileWithUsages }) {
  const t = useText()
  const folderListId = useId()
  const { data: library } = useQuery(fileLibraryQuery)
  const languages = useSiteLanguages()
  const languageIn = useLanguageIn()
  const save = useSaveFile(file)
  const versionedForm = useVersionedForm<StoredFile, FileValues>({
    entity: file,
    valuesOf: fileFormValues,
    save: (values, base) => save.mutateAsync({ values, version: base?.version }),
  })
  const { form } = versionedForm
  // An unsaved crop and focal point are dropped when the image is replaced, because they do not fit the new image.
  const contentKey = `${file.bytes} ${file.width} ${file.height}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the content was replaced
  useEffect(() => {
    const { crop, focalX, focalY } = fileFormValues(file)
    form.setValues({ crop, focalX, focalY })
  }, [contentKey])
  const readOnly = !file.can.change
  const isImage = file.kind === 'picture'
  const differences = (stored: StoredFile): Difference[] => {
    const [mine, theirs] = [form.getValues(), fileFormValues(stored)]
    const locales = new Set([...Object.keys(mine.alt), ...Object.keys(theirs.alt)])
    const focalText = ({ focalX, focalY }: FileValues) => t('files.focalAt', { x: focalX, y: focalY })
    const cropText = (area: CropArea | null) =>
      area ? t('files.cropSize', { width: area.width, height: area.height }) : t('files.cropNone')
    return [
      ...[...locales].map((locale) => ({
        label: t('files.alt', { language: languageIn(locale) }),
        mine: mine.alt[locale] ?? '',
        theirs: theirs.alt[locale] ?? '',
      })),
      { label: t('files.name'), mine: mine.name, theirs: theirs.name },
      { label: t('files.folder'), mine: mine.folder, theirs: theirs.folder },
      { label: t('files.focal'), mine: focalText(mine), theirs: focalText(theirs) },
      { label: t('files.crop'), mine: cropText(mine.crop), theirs: cropText(theirs.crop) },
    ]
  }
  return (
    <VersionedFormFrame versionedForm={versionedForm} notSaved={t('files.notSaved')} differences={differences}>
      <TwoColumns
        main={
          <>
            {readOnly && <Alert>{t('files.readOnly')}</Alert>}
            {isImage && <ImageEditor file={file} form={form} readOnly={readOnly} />}
            <Section title={t('files.describe')}>
              {isImage &&
                languages.map(({ locale, direction }, index) => (
                  <TextInput
                    key={locale}
                    label={t('files.alt', { language: languageIn(locale) })}
                    description={index === 0 && t('files.altHelp')}
                    lang={locale}
                    dir={direction}
                    disabled={readOnly}
                    {...form.getInputProps(`alt.${locale}`)}
                    value={form.getValues().alt[locale] ?? ''}
                  />
                ))}
              <TextInput
                label={t('files.name')}
                description={t('files.nameHelp')}
                required
                disabled={readOnly}
                rightSection={
                  <span className="quiet small" dir="ltr">
                    {extensionOf(file.name)}
                  </span>
                }
                rightSectionWidth="4rem"
                {...form.getInputProps('name')}
              />
              <TextInput
                label={t('files.folder')}
                description={t('files.folderHelp')}
                disabled={readOnly}
                list={folderListId}
                {...form.getInputProps('folder')}
              />
              <datalist id={folderListId}>
                {library?.folders.map(({ name }) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </Section>
            {!readOnly && <SaveBar saving={versionedForm.saving} cancelTo="/admin/files" />}
          </>
        }
        aside={
          <>
            <FileFacts file={file} />
            <FileUsages file={file} />
          </>
        }
      />
    </VersionedFormFrame>
  )
}

/** The read-only facts of a file. */
function FileFacts({ file }: { file: FileWithUsages }) {
  const t = useText()
  const locale = useLocale()
  const { width, height, bytes, type, addedBy, createdAt, updatedAt, url } = file
  return (
    <Section title={t('files.about')}>
      <div>
        <p className="flush quiet small">{t('files.address')}</p>
        <div className={styles.address}>
          <a href={url} target="_blank" rel="noopener" dir="ltr">
            {decodeURI(url)}
          </a>
          <CopyButton text={url} />
        </div>
        <p className="flush quiet small">{t('files.addressHelp')}</p>
      </div>
      <Facts
        facts={[
          ...(width && height ? [{ label: t('files.original'), value: t('files.pixels', { width, height }) }] : []),
          { label: t('files.size'), value: formatFileSize(bytes, t, locale) },
          { label: t('files.format'), value: <bdi dir="ltr">{type}</bdi> },
          { label: t('files.addedBy'), value: <bdi>{addedBy}</bdi> },
          { label: t('files.added'), value: <Moment at={createdAt} /> },
          { label: t('files.changed'), value: <Moment at={updatedAt} /> },
        ]}
      />
    </Section>
  )
}

/** Where the file is used. Usages in pages that the user may not view have no name, and are only counted. */
function FileUsages({ file: { places: usages } }: { file: FileWithUsages }) {
  const t = useText()
  const hiddenCount = usages.filter(({ name }) => name === null).length
  return (
    <Section title={t('files.usedIn')}>
      {usages.length === 0 ? (
        <p className="flush">{t('files.usedNowhere')}</p>
      ) : (
        <ul className={styles.usages}>
          {usages.map(
            ({ type, name, id }) =>
              name !== null && (
                <li key={`${type}${id ?? name}`}>
                  <Translated
                    text={`files.usages.${type}`}
                    name={<bdi>{type === 'configuration' ? configLabel(name, t) : name}</bdi>}
                  />
                </li>
              ),
          )}
          {hiddenCount > 0 && <li>{t('files.hiddenPages', { count: hiddenCount })}</li>}
        </ul>
      )}
    </Section>
  )
}
