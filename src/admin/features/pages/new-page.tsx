import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import { type PageTemplate, pageTemplates } from '../../../contract/pages.ts'
import { ApiRefusal, api, parseResponse } from '../../client.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { UnsavedChangesGuard } from '../../components/dialog.tsx'
import { type Failure, SaveBar, SaveFailure, showProblems } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection, useFirstLocale, useSiteLanguages } from '../../site-languages.ts'
import { collectionName, useCollections } from '../collections/collections.ts'
import { useRight } from '../sign-in/me.ts'
import { slugQuery } from './pages.ts'
import { SlugField } from './slug-field.tsx'

/** The screen that creates a page: title, collection, language, template and slug. */
export function NewPagePage() {
  const t = useText()
  return (
    <Page
      title={t('pages.add')}
      lead={t('pages.addLead')}
      back={{ to: '/admin/pages', label: t('pages.title') }}
      allowed={useRight('pages.write')}
      narrow
    >
      <NewPageForm />
    </Page>
  )
}

interface Values {
  title: string
  locale: Locale
  /** Undefined: the API makes one from the title, as suggested. */
  slug: string | undefined
  /** The id of the collection of an entry; undefined: an ordinary page. */
  collection: string | undefined
  /** Undefined: an empty page. */
  template: PageTemplate | undefined
}

function NewPageForm() {
  const t = useText()
  const initialLocale = useFirstLocale()
  const uiLocale = useLocale()
  const languages = useSiteLanguages()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<Failure>()
  const { collection } = useSearch({ from: '/admin/pages/new' })
  const collections = useCollections()
  const form = useForm<Values>({
    initialValues: { title: '', locale: initialLocale, slug: undefined, collection, template: undefined },
  })
  const values = form.getValues()
  const dir = useContentDirection(values.locale)
  const [title] = useDebouncedValue(values.title.trim(), 250)
  const { data: suggestion } = useQuery({
    ...slugQuery(title, values.locale, undefined, values.collection),
    enabled: title !== '',
  })

  const create = useMutation({
    mutationFn: async ({ title, locale, slug, template, collection }: Values): Promise<{ id: number }> =>
      parseResponse(
        api.pages.$post({
          json: {
            title,
            locale,
            ...(slug !== undefined && { slug }),
            ...(template && { template }),
            ...(collection && { collection }),
          },
        }),
      ),
    async onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: ['pages', 'list'] })
      notify(t('pages.saved'))
      await navigate({
        to: '/admin/pages/$id/$locale',
        params: { id: String(id), locale: values.locale },
        replace: true,
        ignoreBlocker: true,
      })
    },
    onError(error) {
      const unplaced = error instanceof ApiRefusal ? showProblems(error, form) : []
      setFailure({ error, unplaced })
    },
  })
  return (
    <form
      className="stack"
      noValidate
      onSubmit={form.onSubmit((submitted) => {
        setFailure(undefined)
        create.mutate(submitted)
      })}
    >
      <UnsavedChangesGuard when={values.title !== '' && !create.isSuccess} />
      {failure && <SaveFailure title={t('pages.notSaved')} {...failure} />}
      <Section title={t('pages.about')}>
        <TextInput
          label={t('pages.fields.title')}
          description={t('pages.titleHelp')}
          dir={dir}
          lang={values.locale}
          required
          autoFocus
          {...form.getInputProps('title')}
        />
        {collections.length > 0 && (
          <ChoiceGroup
            legend={t('pages.entry.kind')}
            options={[
              { value: '', label: t('pages.entry.page') },
              ...collections.map((option) => ({ value: option.id, label: collectionName(option, uiLocale) })),
            ]}
            chosen={[values.collection ?? '']}
            onChoose={([chosen]) => form.setFieldValue('collection', chosen || undefined)}
          />
        )}
        <ChoiceGroup
          legend={t('pages.language')}
          options={languages.map(({ locale: value, name }) => ({ value, label: name }))}
          chosen={[values.locale]}
          onChoose={([chosen]) => form.setFieldValue('locale', chosen ?? initialLocale)}
        />
        <ChoiceGroup
          legend={t('pages.templates.legend')}
          options={(['empty', ...pageTemplates] as const).map((value) => ({
            value,
            label: t(`pages.templates.${value}.name`),
            hint: t(`pages.templates.${value}.hint`),
          }))}
          chosen={[values.template ?? 'empty']}
          onChoose={([chosen]) => form.setFieldValue('template', chosen === 'empty' ? undefined : chosen)}
        />
        <SlugField
          locale={values.locale}
          value={values.slug ?? (title ? suggestion?.slug : undefined) ?? ''}
          error={form.errors.slug}
          onChange={(slug) => form.setFieldValue('slug', slug)}
        />
      </Section>
      <SaveBar saving={create.isPending} label={t('pages.create')} cancelTo="/admin/pages" />
    </form>
  )
}
