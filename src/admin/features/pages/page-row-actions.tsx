import { ActionIcon } from '@mantine/core'
import { Copy, Trash2, Undo2 } from 'lucide-react'
import type { ListedPage } from '../../../contract/pages.ts'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { usePageActions } from './change-pages.tsx'

/** What can be done with a page without opening it. */
export function RowActions({ page, title }: { page: ListedPage; title: string }) {
  const t = useText()
  const mayWrite = useRight('pages.write')
  const { duplicate, bin, restore, remove } = usePageActions()
  const some = { id: page.id, title }
  if (page.deletedAt) {
    return (
      <>
        {mayWrite && (
          <ActionIcon {...named(t('pages.restoreOne', { name: title }))} onClick={() => restore(some)}>
            <Undo2 className="turns" size={20} aria-hidden />
          </ActionIcon>
        )}
        {page.can.delete && (
          <ActionIcon
            {...named(t('pages.deleteOne', { name: title }))}
            className="danger"
            color="red"
            onClick={() => void remove(some)}
          >
            <Trash2 size={20} aria-hidden />
          </ActionIcon>
        )}
      </>
    )
  }
  return (
    <>
      {mayWrite && (
        <ActionIcon {...named(t('pages.duplicateOne', { name: title }))} color="gray" onClick={() => duplicate(some)}>
          <Copy size={20} aria-hidden />
        </ActionIcon>
      )}
      {page.can.delete && (
        <ActionIcon {...named(t('pages.binOne', { name: title }))} color="gray" onClick={() => bin(some)}>
          <Trash2 size={20} aria-hidden />
        </ActionIcon>
      )}
    </>
  )
}

const named = (label: string) => ({ 'aria-label': label, title: label })
