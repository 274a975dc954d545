import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Configuration } from '../../../contract/configuration.ts'
import { showsSiteMenu } from '../../../contract/header-menus.ts'
import { limits } from '../../../contract/limits.ts'
import { localized } from '../../../contract/locales.ts'
import { type MenuItem, menuItemsIn } from '../../../contract/menus.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { api, parseAs } from '../../client.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SaveFailure } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { ErrorState, Loading } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { useFillPlaceholders } from '../blocks/preview-data.ts'
import { configQuery, storeConfiguration } from '../config/config.ts'
import { menuItemTitle, useNamedPages } from '../config/named-pages.ts'

/** The dialog that adds a page to the menu: at the end, or in the submenu of a chosen item. */
export function AddToMenu(props: { page: Pick<PageInLocale, 'id' | 'locale' | 'path' | 'text'>; close: () => void }) {
  const { page, close } = props
  const t = useText()
  const { data, error, refetch } = useQuery({ ...configQuery, staleTime: 0 })
  const items = data && menuOf(data, page)
  const isInMenu = [...menuItemsIn(items)].some((item) => item.page === page.id)
  return (
    <Dialog title={t('pages.menu.title')} onClose={close}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : !data && <Loading rows={2} />}
      {data && items && !isInMenu && <MenuPositionForm configuration={data} items={items} page={page} close={close} />}
      {isInMenu && (
        <>
          <p>{t('pages.menu.already')}</p>
          <DialogActions onClose={close}>
            <LinkButton variant="filled" to="/admin/config/$part" params={{ part: 'menu' }}>
              {t('pages.menu.edit')}
            </LinkButton>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

/** The items of the menu that visitors get in the language of the page. */
const menuOf = ({ config: { menus } }: Configuration, { locale }: Pick<PageInLocale, 'locale'>): MenuItem[] =>
  menus ? localized(menus.main, locale).value : []

function MenuPositionForm(props: {
  configuration: Configuration
  items: readonly MenuItem[]
  page: Pick<PageInLocale, 'id' | 'locale' | 'path' | 'text'>
  close: () => void
}) {
  const { configuration, items, page, close } = props
  const t = useText()
  const queries = useQueryClient()
  const main = useMainLocale()
  const pages = useNamedPages(items)
  const fill = useFillPlaceholders(page.locale)
  /** The indexes of the chosen item, from the top level down: `2.0`; empty: the end of the menu. */
  const [position, setPosition] = useState('')
  const isSiteMenuShown = showsSiteMenu(configuration.config, page.locale)
  const add = useMutation({
    mutationFn: (): Promise<Configuration> =>
      parseAs(
        api.config.menu.items.$post({
          json: {
            version: configuration.version,
            locale: page.locale,
            page: page.id,
            under: position === '' ? [] : position.split('.').map(Number),
          },
        }),
      ),
    onSuccess(saved) {
      storeConfiguration(queries, saved)
      void queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
      void queries.invalidateQueries({ queryKey: ['pages'] })
      // The header around the page.
      void queries.invalidateQueries({ queryKey: ['preview-data'] })
      notify(<Translated text="pages.menu.added" name={<bdi>{page.text.title}</bdi>} />)
      close()
    },
    onError() {
      // Somebody else may have changed the menu: its positions are shown again.
      setPosition('')
      void queries.invalidateQueries({ queryKey: configQuery.queryKey })
    },
  })
  const positions = isSiteMenuShown ? listParents(items) : []
  return (
    <>
      <div className="stack">
        {add.error && <SaveFailure title={t('pages.menu.notAdded')} error={add.error} unplaced={[]} />}
        {!isSiteMenuShown && <p className="flush">{t('pages.menu.takesOver')}</p>}
        {positions.length > 0 && (
          <NativeSelect
            label={t('pages.menu.position')}
            value={position}
            onChange={(event) => setPosition(event.currentTarget.value)}
            data={[
              { value: '', label: t('pages.menu.end') },
              ...positions.map(({ path, item }) => ({
                value: path.join('.'),
                // An option can be indented by em spaces only.
                label: '\u2003'.repeat(path.length - 1) + t('pages.menu.under', { name: nameOf(item) }),
              })),
            ]}
          />
        )}
        {page.path === null && <p className="flush quiet">{t('pages.menu.shownOncePublished')}</p>}
      </div>
      <DialogActions onClose={close}>
        <Button variant="filled" loading={add.isPending} onClick={() => add.mutate()}>
          {t('pages.menu.add')}
        </Button>
      </DialogActions>
    </>
  )

  function nameOf(item: MenuItem): string {
    return fill(menuItemTitle(item, pages, page.locale, main)) || t('config.offer.unnamed')
  }
}

/** The items that can have a submenu, with their indexes from the top level down. @param parentPath of `items` */
function listParents(items: readonly MenuItem[], parentPath: number[] = []): { item: MenuItem; path: number[] }[] {
  if (parentPath.length + 1 >= limits.menuLevels) return []
  return items.flatMap((item, index) => {
    const path = [...parentPath, index]
    return [{ path, item }, ...listParents(item.submenu, path)]
  })
}
