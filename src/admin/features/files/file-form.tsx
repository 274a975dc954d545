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
  const folders = useId()
  const { data: library } = useQuery(fileLibraryQuery)
  const languages = useSiteLanguages()
  const languageIn = useLanguageIn()
  const save = useSaveFile(file)
  const work = useVersionedForm<StoredFile, FileValues>({
    entity: file,
    valuesOf: fileFormValues,
    save: (values, from) => save.mutateAsync({ values, version: from?.version }),
  })
  const { form } = work
  // An area and a point that were chosen in the former image do not hold for the one that replaces it.
  const content = `${file.bytes} ${file.width} ${file.height}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other content matters
  useEffect(() => {
    const { crop, focalX, focalY } = fileFormValues(file)
    form.setValues({ crop, focalX, focalY })
  }, [content])
  const fixed = !file.can.change
  const isImage = file.kind === 'picture'
  const differences = (stored: StoredFile): Difference[] => {
    const [mine, theirs] = [form.getValues(), fileFormValues(stored)]
    const focal = ({ focalX, focalY }: FileValues) => t('files.focalAt', { x: focalX, y: focalY })
    const crop = (area: CropArea | null) =>
      area ? t('files.cropSize', { width: area.width, height: area.height }) : t('files.cropNone')
    return [
      ...[...new Set([...Object.keys(mine.alt), ...Object.keys(theirs.alt)])].map((locale) => ({
        label: t('files.alt', { language: languageIn(locale) }),
        mine: mine.alt[locale] ?? '',
        theirs: theirs.alt[locale] ?? '',
      })),
      { label: t('files.name'), mine: mine.name, theirs: theirs.name },
      { label: t('files.folder'), mine: mine.folder, theirs: theirs.folder },
      { label: t('files.focal'), mine: focal(mine), theirs: focal(theirs) },
      { label: t('files.crop'), mine: crop(mine.crop), theirs: crop(theirs.crop) },
    ]
  }
  return (
    <VersionedFormFrame work={work} notSaved={t('files.notSaved')} differences={differences}>
      <TwoColumns
        main={
          <>
            {fixed && <Alert>{t('files.readOnly')}</Alert>}
            {isImage && <ImageEditor file={file} form={form} fixed={fixed} />}
            <Section title={t('files.describe')}>
              {isImage &&
                languages.map(({ locale, direction }, index) => (
                  <TextInput
                    key={locale}
                    label={t('files.alt', { language: languageIn(locale) })}
                    description={index === 0 && t('files.altHelp')}
                    lang={locale}
                    dir={direction}
                    disabled={fixed}
                    {...form.getInputProps(`alt.${locale}`)}
                    value={form.getValues().alt[locale] ?? ''}
                  />
                ))}
              <TextInput
                label={t('files.name')}
                description={t('files.nameHelp')}
                required
                disabled={fixed}
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
                disabled={fixed}
                list={folders}
                {...form.getInputProps('folder')}
              />
              <datalist id={folders}>
                {library?.folders.map(({ name }) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </Section>
            {!fixed && <SaveBar saving={work.saving} cancelTo="/admin/files" />}
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

/** Where the file is used. Pages that the user may not view are only counted. */
function FileUsages({ file: { places: usages } }: { file: FileWithUsages }) {
  const t = useText()
  const hidden = usages.filter(({ name }) => name === null).length
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
          {hidden > 0 && <li>{t('files.hiddenPages', { count: hidden })}</li>}
        </ul>
      )}
    </Section>
  )
}
