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
import { useFirstLocale, useLanguageSettings, useMainLocale } from '../../../site-languages.ts'
import { FieldsOfBlock } from '../../blocks/block-field.tsx'
import { ChoosePage, type LinkTarget } from '../../blocks/choose-page.tsx'
import { hasProblem, type Problems, problemsAfterChange, problemsUnder } from '../../blocks/problems.ts'
import { pageReadRights } from '../../pages/pages.ts'
import { useRight } from '../../sign-in/me.ts'
import { configQuery, storeConfiguration, storeStaleConfiguration } from '../config.ts'
import { menuItemTitle, type NamedPages, pageTextIn, useNamedPages } from '../named-pages.ts'
import { ContentLanguage, type FieldsProps, type ScreenDefinition, useSaveParts } from '../part-form.tsx'

const MenuItems = lazyPart(async () => (await import('../../blocks/menu-items.tsx')).default)

/** A menu item as the block editor has it, in which a typed address may be incomplete. */
type Entry = Record<string, unknown>
interface Values extends Record<string, unknown> {
  menus: Menus
}

export const menu: ScreenDefinition<Values> = {
  valuesOf: ({ menus, ...site }) => ({ menus: menus ?? { main: { [mainLocaleOf(site)]: [] } } }),
  partsOf: ({ menus: { main } }, config) =>
    // A site without a menu keeps none while the form has no items.
    !config.menus && Object.values(main).every((items) => items?.length === 0) ? {} : { menus: { main } },
  Fields,
}

function Fields({ form, saveFailed }: FieldsProps<Values>) {
  const t = useText()
  const languageIn = useLanguageIn()
  const [locale, setLocale] = useState<Locale>(useFirstLocale())
  const mainLocale = useMainLocale()
  const { main } = form.getValues().menus
  const path = `menus.main.${locale}`
  const problems = problemsUnder(form.errors as Problems, 'menus.main')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a failed save changes the language, not a correction
  useEffect(() => {
    const localeWithError = Object.keys(main).find((tag) => hasProblem(problems, tag))
    if (saveFailed && localeWithError && !hasProblem(problems, locale)) setLocale(localeWithError)
  }, [saveFailed])
  const setItems = (update: (items: MenuItem[]) => MenuItem[]) => {
    const current = form.getValues().menus.main[locale] ?? []
    const changed = update(current)
    form.setFieldValue(path, changed as never)
    form.setErrors((errors) => problemsAfterChange(errors as Problems, path, current, changed))
  }
  return (
    <>
      <HeaderMenusNotice dirty={form.isDirty()} />
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
          onCopy={() => setItems(() => structuredClone(main[mainLocale] ?? []))}
        >
          <MenuEditor
            key={locale}
            locale={locale}
            value={main[locale] ?? []}
            onChange={setItems}
            listProblem={problems[locale]}
            problems={problemsUnder(problems, locale)}
          />
        </ContentLanguage>
      </Section>
    </>
  )
}

/** Offers to move the items of menus in the header to the menu of the site, or warns when no block shows that menu. */
function HeaderMenusNotice({ dirty }: { dirty: boolean }) {
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
      notify(t('config.menu.tookOver'), () => void save({ branding, menus }, saved.version).catch(showFailure))
    },
    onError(error) {
      storeStaleConfiguration(queries, error)
      showFailure(error)
    },
  })
  const showFailure = (error: unknown) => notifyFailure(t('config.menu.notTakenOver'), error)
  if (!data) return null
  const hasOwnItems = data.config.locales.some((locale) => ownHeaderItems(data.config, locale).length > 0)
  if (!hasOwnItems) return showsSiteMenu(data.config) ? null : <Alert color="yellow">{t('config.menu.unseen')}</Alert>
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

/** The field with the items of a `menu` block, which has the fields of an item. */
const findItemsField = () =>
  fieldsOf('menu').find((field): field is Extract<Field, { kind: 'objects' }> => field.path === 'items')

/** Edits the items of the menu in one language, with their submenus. */
function MenuEditor(props: {
  locale: Locale
  value: MenuItem[]
  onChange: (update: (items: MenuItem[]) => MenuItem[]) => void
  /** The error of the list as a whole, and those of its items. */
  listProblem: string | undefined
  problems: Problems
}) {
  const { locale, value, onChange, listProblem, problems } = props
  const t = useText()
  const seesPages = useRight(...pageReadRights)
  const main = useMainLocale()
  const pages = useNamedPages(value)
  /** Receives the chosen page or overview while the dialog to choose one is open. */
  const [onPageChosen, setOnPageChosen] = useState<(target: LinkTarget) => void>()
  const field = findItemsField()
  if (!field) return null
  const choosePage = (onChosen: (target: LinkTarget) => void) => setOnPageChosen(() => onChosen)
  return (
    <>
      <MenuItems
        field={{ ...field, maxItems: limits.menuItems }}
        label={`${t('config.screens.menu.title')} (${languageName(locale)})`}
        value={value as unknown as Entry[]}
        onChange={(update) => onChange((items) => update(items as unknown as Entry[]) as unknown as MenuItem[])}
        problem={listProblem}
        problems={problems}
        locale={locale}
        plain
        titleOf={(entry) => menuItemTitle(entry, pages, locale, main)}
        detail={(entry) => <LinkSummary entry={entry} pages={pages} locale={locale} />}
        adders={(add) => (
          <div className="row">
            {seesPages && (
              <Button leftSection={<FileText />} onClick={() => choosePage((target) => add(linkTo(target, '')))}>
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
        {(fields, entry, change, entryProblems) => (
          <>
            <FieldsOfBlock
              type="menu"
              fields={fields.filter(({ name }) => name === 'title')}
              values={entry}
              onChange={change}
              problems={entryProblems}
              locale={locale}
            />
            {entry.page !== undefined && <p className="help">{t('config.menu.titleFollows')}</p>}
            <LinkField
              entry={entry}
              change={(changed) => change(() => changed)}
              pages={pages}
              locale={locale}
              problem={entryProblems.url ?? entryProblems.page}
              choosePage={seesPages ? choosePage : undefined}
            />
            <FieldsOfBlock
              type="menu"
              fields={fields.filter(({ name }) => name !== 'title' && name !== 'url')}
              values={entry}
              onChange={change}
              problems={entryProblems}
              locale={locale}
            />
          </>
        )}
      </MenuItems>
      {onPageChosen && (
        <ChoosePage
          title={t('config.menu.choosePage')}
          locale={locale}
          onChoose={(target) => {
            onPageChosen(target)
            setOnPageChosen(undefined)
          }}
          onClose={() => setOnPageChosen(undefined)}
        />
      )}
    </>
  )
}

/** The text and link of an item that leads to a page, whose title it can follow, or to an overview. */
const linkTo = ({ id, title, address }: LinkTarget, text: unknown): Entry =>
  id === undefined ? { title: text || title, url: address } : { title: text, page: id }

/** The link of an item: a page, whose address it follows, or a typed address. */
function LinkField(props: {
  entry: Entry
  change: (entry: Entry) => void
  pages: NamedPages
  locale: Locale
  problem: string | undefined
  /** Opens the dialog to choose a page; undefined for users who may not see pages. */
  choosePage: ((onChosen: (target: LinkTarget) => void) => void) | undefined
}) {
  const { entry, change, pages, locale, problem, choosePage } = props
  const t = useText()
  const main = useMainLocale()
  const { page, url, ...withoutLink } = entry
  const linkToPage = () => choosePage?.((target) => change({ ...withoutLink, ...linkTo(target, withoutLink.title) }))
  if (page !== undefined) {
    const linkedPage = pages.get(page as MenuItem['page'])
    const text = linkedPage && pageTextIn(linkedPage, locale, main)
    const linkToAddress = () => {
      const title = withoutLink.title || (text?.title ?? '')
      change({ ...withoutLink, title, url: text ? `/${text.slug}` : '' })
    }
    return (
      <div className="stack">
        <p className="flush">
          {t('config.menu.page')}: <bdi>{text?.title ?? t('config.menu.gone')}</bdi>
        </p>
        {problem && <p className="wrong">{problem}</p>}
        <div className="row">
          {choosePage && <Button onClick={linkToPage}>{t('config.menu.otherPage')}</Button>}
          <Button onClick={linkToAddress}>{t('config.menu.typeAddress')}</Button>
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
          // An item without an address only opens its submenu.
          change(typed === '' ? withoutLink : { ...withoutLink, url: typed })
        }}
      />
      {choosePage && (
        <div className="row">
          <Button onClick={linkToPage}>{t('config.menu.bindPage')}</Button>
        </div>
      )}
    </div>
  )
}

/** The address of an item, or why visitors do not see the item. */
function LinkSummary({
  entry: { page, url },
  pages,
  locale,
}: {
  entry: Entry
  pages: NamedPages
  locale: Locale
}): ReactNode {
  const t = useText()
  const languageIn = useLanguageIn()
  const site = useLanguageSettings()
  if (page === undefined) {
    return url === undefined ? (
      <small className="quiet">{t('config.menu.opens')}</small>
    ) : (
      <small dir="ltr">{String(url)}</small>
    )
  }
  if (typeof page === 'number' && !pages.has(page)) return null
  const linkedPage = pages.get(page)
  if (!linkedPage) return <NotVisibleBadge text={t('config.menu.gone')} />
  if (linkedPage.inTrash) return <NotVisibleBadge text={t('config.menu.inTrash')} />
  if (linkedPage.isHidden) return <NotVisibleBadge text={t('config.menu.hidden')} />
  const linkedLocale = linkedPage.texts[locale]?.isLive ? locale : mainLocaleOf(site)
  const text = linkedPage.texts[linkedLocale]
  if (!text?.isLive) return <NotVisibleBadge text={t('config.menu.notPublished')} />
  return (
    <>
      <small dir="ltr">{localizedPath(`/${text.slug}`, linkedLocale, site)}</small>
      {linkedLocale !== locale && (
        <small className="quiet">{t('config.menu.inMain', { main: languageIn(linkedLocale) })}</small>
      )}
    </>
  )
}

const NotVisibleBadge = ({ text }: { text: string }) => (
  <Badge color="gray" variant="outline">
    {text}
  </Badge>
)
