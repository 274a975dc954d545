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
import { Failed, Loading } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { useFillPlaceholders } from '../blocks/preview-data.ts'
import { configQuery, storeConfiguration } from '../config/config.ts'
import { menuItemTitle, useNamedPages } from '../config/named-pages.ts'

/** Asks for the position in the menu; one click adds the page at the end. */
export function AddToMenu(props: { page: Pick<PageInLocale, 'id' | 'locale' | 'path' | 'text'>; close: () => void }) {
  const { page, close } = props
  const t = useText()
  const { data, error, refetch } = useQuery({ ...configQuery, staleTime: 0 })
  const tree = data && treeFor(data, page)
  const isThere = [...menuItemsIn(tree)].some((item) => item.page === page.id)
  return (
    <Dialog title={t('pages.menu.title')} onClose={close}>
      {error ? <Failed error={error} retry={() => void refetch()} /> : !data && <Loading rows={2} />}
      {data && tree && !isThere && <MenuPositionForm configuration={data} tree={tree} page={page} close={close} />}
      {isThere && (
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

/** The menu that visitors get in this language. */
const treeFor = ({ config: { menus } }: Configuration, { locale }: Pick<PageInLocale, 'locale'>): MenuItem[] =>
  menus ? localized(menus.main, locale).value : []

function MenuPositionForm(props: {
  configuration: Configuration
  tree: readonly MenuItem[]
  page: Pick<PageInLocale, 'id' | 'locale' | 'path' | 'text'>
  close: () => void
}) {
  const { configuration, tree, page, close } = props
  const t = useText()
  const queries = useQueryClient()
  const main = useMainLocale()
  const pages = useNamedPages(tree)
  const fill = useFillPlaceholders(page.locale)
  const [position, setPosition] = useState('')
  const shown = showsSiteMenu(configuration.config, page.locale)
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
  const positions = shown ? listPositions(tree) : []
  return (
    <>
      <div className="stack">
        {add.error && <SaveFailure title={t('pages.menu.notAdded')} error={add.error} unplaced={[]} />}
        {!shown && <p className="flush">{t('pages.menu.takesOver')}</p>}
        {positions.length > 0 && (
          <NativeSelect
            label={t('pages.menu.position')}
            value={position}
            onChange={(event) => setPosition(event.currentTarget.value)}
            data={[
              { value: '', label: t('pages.menu.end') },
              ...positions.map(({ path, item }) => ({
                value: path.join('.'),
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

/** The items that can get the page in their submenu, with their indexes from the top level down. */
const listPositions = (tree: readonly MenuItem[], at: readonly number[] = []): { path: number[]; item: MenuItem }[] =>
  at.length + 1 >= limits.menuLevels
    ? []
    : tree.flatMap((item, index) => {
        const path = [...at, index]
        return [{ path, item }, ...listPositions(item.submenu, path)]
      })
