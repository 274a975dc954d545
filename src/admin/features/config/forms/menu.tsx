import { Alert, Badge, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileText, FolderTree, Link2, Merge } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type Field, fieldsOf } from '../../../../blocks/fields.ts'
import type { Configuration } from '../../../../contract/configuration.ts'
import { ownHeaderItems, showsSiteMenu } from '../../../../contract/header-menus.ts'
import { limits } from '../../../../contract/limits.ts'
import { type Locale, languageName, localizedPath, mainLocaleOf } from '../../../../contract/locales.ts'
import type { MenuItem, Menus } from '../../../../contract/menus.ts'
import { api, parseAs } from '../../../client.ts'
import { lazyPart } from '../../../components/lazy-part.tsx'
import { notify, notifyFailure } from '../../../components/notify.tsx'
import { Section } from '../../../components/page.tsx'
import { useLanguageIn, useText } from '../../../i18n.ts'
import { useFirstLocale, useMainLocale, useSite } from '../../../site-languages.ts'
import { FieldsOfBlock } from '../../blocks/block-field.tsx'
import { hasProblem, type Problems, problemsAfterChange, problemsUnder } from '../../blocks/problems.ts'
import { ChoosePage, type LinkedPage } from '../../blocks/url-field.tsx'
import { pageReadRights } from '../../pages/pages.ts'
import { useRight } from '../../sign-in/me.ts'
import { configQuery, storeConfiguration, storeCurrent } from '../config.ts'
import { menuItemTitle, type NamedPages, namedIn, useNamedPages } from '../named-pages.ts'
import { ContentLanguage, type FieldsProps, type PartDefinition, useSaveParts } from '../part-form.tsx'

const MenuItems = lazyPart(async () => (await import('../../blocks/menu-items.tsx')).default)

type Item = Record<string, unknown>
interface Values extends Record<string, unknown> {
  menus: Menus
}

export const menu: PartDefinition<Values> = {
  valuesOf: ({ menus, ...site }) => ({ menus: menus ?? { main: { [mainLocaleOf(site)]: [] } } }),
  partsOf: ({ menus: { main } }, config) =>
    // An empty menu that was never there is no change.
    !config.menus && Object.values(main).every((tree) => tree?.length === 0) ? {} : { menus: { main } },
  Fields,
}

function Fields({ form, failed }: FieldsProps<Values>) {
  const t = useText()
  const languageIn = useLanguageIn()
  const [locale, setLocale] = useState<Locale>(useFirstLocale())
  const mainLocale = useMainLocale()
  const { main } = form.getValues().menus
  const path = `menus.main.${locale}`
  const problems = problemsUnder(form.errors as Problems, 'menus.main')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal changes the language, not mending it
  useEffect(() => {
    const inOther = Object.keys(main).find((one) => hasProblem(problems, one))
    if (failed && inOther && !hasProblem(problems, locale)) setLocale(inOther)
  }, [failed])
  const set = (update: (items: MenuItem[]) => MenuItem[]) => {
    const before = form.getValues().menus.main[locale] ?? []
    const changed = update(before)
    form.setFieldValue(path, changed as never)
    form.setErrors((errors) => problemsAfterChange(errors as Problems, path, before, changed))
  }
  return (
    <>
      <TakeOver dirty={form.isDirty()} />
      <Section title={t('config.screens.menu.title')}>
        <ContentLanguage
          title={t('config.screens.menu.title')}
          locale={locale}
          onChoose={setLocale}
          missing={
            main[locale]
              ? undefined
              : t('config.menu.missing', { language: languageIn(locale), main: languageIn(mainLocale) })
          }
          onCopy={() => set(() => structuredClone(main[mainLocale] ?? []))}
        >
          <Tree
            key={locale}
            locale={locale}
            value={main[locale] ?? []}
            onChange={set}
            problem={problems[locale]}
            problems={problemsUnder(problems, locale)}
          />
        </ContentLanguage>
      </Section>
    </>
  )
}

/** Offers to make one menu of the items that the header's blocks have of their own, and warns when nothing shows it. */
function TakeOver({ dirty }: { dirty: boolean }) {
  const t = useText()
  const queries = useQueryClient()
  const { data } = useQuery(configQuery)
  const save = useSaveParts()
  const takeOver = useMutation({
    mutationFn: ({ version }: Configuration): Promise<Configuration> =>
      parseAs(api.config.menu['take-over'].$post({ json: { version } })),
    onSuccess(saved, { config: { branding, menus } }) {
      storeConfiguration(queries, saved)
      void queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
      notify(t('config.menu.tookOver'), () => void save({ branding, menus }, saved.version).catch(failed))
    },
    onError(error) {
      storeCurrent(queries, error)
      failed(error)
    },
  })
  const failed = (error: unknown) => notifyFailure(t('config.menu.notTakenOver'), error)
  if (!data) return null
  const own = data.config.locales.some((locale) => ownHeaderItems(data.config, locale).length > 0)
  if (!own) return showsSiteMenu(data.config) ? null : <Alert color="yellow">{t('config.menu.unseen')}</Alert>
  return (
    <Alert title={t('config.menu.apart')}>
      <div className="stack">
        <span>{t('config.menu.apartText')}</span>
        <div className="row">
          <Button
            leftSection={<Merge />}
            disabled={dirty}
            loading={takeOver.isPending}
            onClick={() => takeOver.mutate(data)}
          >
            {t('config.menu.takeOver')}
          </Button>
          {dirty && <span className="quiet">{t('config.menu.saveFirst')}</span>}
        </div>
      </div>
    </Alert>
  )
}

/** The fields of an item, as those of a `menu` block. */
const itemFields = () =>
  fieldsOf('menu').find((field): field is Extract<Field, { kind: 'objects' }> => field.path === 'items')

function Tree(props: {
  locale: Locale
  value: MenuItem[]
  onChange: (update: (items: MenuItem[]) => MenuItem[]) => void
  problem: string | undefined
  problems: Problems
}) {
  const { locale, value, onChange, problem, problems } = props
  const t = useText()
  const seesPages = useRight(...pageReadRights)
  const main = useMainLocale()
  const pages = useNamedPages(value)
  const [choosing, setChoosing] = useState<(page: LinkedPage) => void>()
  const field = itemFields()
  if (!field) return null
  const choose = (chosen: (page: LinkedPage) => void) => setChoosing(() => chosen)
  return (
    <>
      <MenuItems
        field={{ ...field, most: limits.menuItems }}
        label={`${t('config.screens.menu.title')} (${languageName(locale)})`}
        value={value as unknown as Item[]}
        onChange={(update) => onChange((items) => update(items as unknown as Item[]) as unknown as MenuItem[])}
        problem={problem}
        problems={problems}
        locale={locale}
        plain
        titleOf={(entry) => menuItemTitle(entry, pages, locale, main)}
        detail={(entry) => <Target entry={entry} pages={pages} locale={locale} />}
        adders={(add) => (
          <div className="row">
            {seesPages && (
              <Button leftSection={<FileText />} onClick={() => choose(({ id }) => add({ title: '', page: id }))}>
                {t('config.menu.addPage')}
              </Button>
            )}
            <Button leftSection={<Link2 />} onClick={() => add({ title: '', url: '' }, true)}>
              {t('config.menu.addLink')}
            </Button>
            <Button leftSection={<FolderTree />} onClick={() => add({ title: '' }, true)}>
              {t('config.menu.addOpener')}
            </Button>
          </div>
        )}
      >
        {(fields, entry, change, ownProblems) => (
          <>
            <FieldsOfBlock
              type="menu"
              fields={fields.filter(({ name }) => name === 'title')}
              values={entry}
              onChange={change}
              problems={ownProblems}
              locale={locale}
            />
            {entry.page !== undefined && <p className="help">{t('config.menu.titleFollows')}</p>}
            <TargetField
              entry={entry}
              change={(changed) => change(() => changed)}
              pages={pages}
              locale={locale}
              problem={ownProblems.url ?? ownProblems.page}
              choose={seesPages ? choose : undefined}
            />
            <FieldsOfBlock
              type="menu"
              fields={fields.filter(({ name }) => name !== 'title' && name !== 'url')}
              values={entry}
              onChange={change}
              problems={ownProblems}
              locale={locale}
            />
          </>
        )}
      </MenuItems>
      {choosing && (
        <ChoosePage
          title={t('config.menu.choosePage')}
          locale={locale}
          onChoose={(page) => {
            choosing(page)
            setChoosing(undefined)
          }}
          onClose={() => setChoosing(undefined)}
        />
      )}
    </>
  )
}

/** Where an item leads: a page that it follows, or an address. */
function TargetField(props: {
  entry: Item
  change: (entry: Item) => void
  pages: NamedPages
  locale: Locale
  problem: string | undefined
  choose: ((chosen: (page: LinkedPage) => void) => void) | undefined
}) {
  const { entry, change, pages, locale, problem, choose } = props
  const t = useText()
  const main = useMainLocale()
  const { page, url, ...others } = entry
  const bind = () => choose?.(({ id }) => change({ ...others, page: id }))
  if (page !== undefined) {
    const found = pages.get(page as MenuItem['page'])
    const text = found && namedIn(found, locale, main)
    return (
      <div className="stack">
        <p className="flush">
          {t('config.menu.page')}: <bdi>{text?.title ?? t('config.menu.gone')}</bdi>
        </p>
        {problem && <p className="wrong">{problem}</p>}
        <div className="row">
          {choose && <Button onClick={bind}>{t('config.menu.otherPage')}</Button>}
          <Button
            onClick={() =>
              change({ ...others, title: others.title || (text?.title ?? ''), url: text ? `/${text.slug}` : '' })
            }
          >
            {t('config.menu.typeAddress')}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="stack">
      <TextInput
        label={t('config.menu.address')}
        description={t('config.menu.addressHelp')}
        error={problem}
        dir="ltr"
        inputMode="url"
        spellCheck={false}
        value={String(url ?? '')}
        onChange={(event) => {
          const typed = event.currentTarget.value
          change(typed === '' && url === undefined ? others : { ...others, ...(typed !== '' && { url: typed }) })
        }}
      />
      {choose && (
        <div className="row">
          <Button onClick={bind}>{t('config.menu.bindPage')}</Button>
        </div>
      )}
    </div>
  )
}

/** The address of an item, and why visitors do not see it. */
function Target({
  entry: { page, url },
  pages,
  locale,
}: {
  entry: Item
  pages: NamedPages
  locale: Locale
}): ReactNode {
  const t = useText()
  const languageIn = useLanguageIn()
  const site = useSite()
  if (page === undefined) {
    return url === undefined ? (
      <small className="quiet">{t('config.menu.opens')}</small>
    ) : (
      <small dir="ltr">{String(url)}</small>
    )
  }
  if (typeof page === 'number' && !pages.has(page)) return null
  const found = pages.get(page)
  if (!found) return <Hidden text={t('config.menu.gone')} />
  if (found.inTrash) return <Hidden text={t('config.menu.inTrash')} />
  if (found.isHidden) return <Hidden text={t('config.menu.hidden')} />
  const own = found.texts[locale]?.isLive ? locale : mainLocaleOf(site)
  const text = found.texts[own]
  if (!text?.isLive) return <Hidden text={t('config.menu.notPublished')} />
  return (
    <>
      <small dir="ltr">{localizedPath(`/${text.slug}`, own, site)}</small>
      {own !== locale && <small className="quiet">{t('config.menu.inMain', { main: languageIn(own) })}</small>}
    </>
  )
}

const Hidden = ({ text }: { text: string }) => (
  <Badge color="gray" variant="outline">
    {text}
  </Badge>
)
