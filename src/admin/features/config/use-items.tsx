import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { notify } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { moved } from '../blocks/sortable-rows.tsx'
import { hasErrorsUnder, reinsertItem } from './values.ts'

/**
 * A list of items in a form. One item is unfolded at a time, besides those with an error. A removal can be undone.
 * @param options.findPath the path of a nested list at the time of the undo; undefined when its item was removed
 */
export function useItems<Item extends { id: string }>(options: {
  // biome-ignore lint/suspicious/noExplicitAny: the form's type follows from the path
  form: UseFormReturnType<any>
  path: string
  findPath?: () => string | undefined
  nameOf: (item: Item) => string
  /** The notification for a removed item. */
  removedText?: 'config.offer.removed' | 'config.collections.removed'
}) {
  const { form, path, findPath = () => path, nameOf, removedText = 'config.offer.removed' } = options
  const items: Item[] = form.getInputProps(path).value
  const [openId, setOpenId] = useState<string>()
  const setItems = (next: Item[], currentPath = path) => {
    // Errors are stored by index.
    form.clearErrors()
    form.setFieldValue(currentPath, next)
  }
  const remove = (item: Item, index: number) => {
    setItems(items.filter(({ id }) => id !== item.id))
    notify(
      <Translated text={removedText} name={<bdi>{nameOf(item)}</bdi>} />,
      () => {
        const currentPath = findPath()
        if (currentPath) setItems(reinsertItem(form.getInputProps(currentPath).value, item, index), currentPath)
      },
      'form',
    )
  }
  return {
    items,
    add(item: Item) {
      setItems([...items, item])
      setOpenId(item.id)
    },
    /** The props of a `SortableList`. */
    sortable: {
      items,
      keyOf: ({ id }: Item) => id,
      nameOf,
      onMove: (from: number, to: number) => setItems(moved(items, from, to)),
    },
    /** The props of an item's `Foldable`. */
    foldable: (item: Item, index: number) => ({
      name: nameOf(item),
      open: openId === item.id || hasErrorsUnder(form, `${path}.${index}`),
      onToggle: () => setOpenId(openId === item.id ? undefined : item.id),
      onRemove: () => remove(item, index),
    }),
  }
}

/** The path of a property by the current index of its item: `forms.2.fields`. Undefined when the item was removed. */
export function pathInItem(
  // biome-ignore lint/suspicious/noExplicitAny: the form's type follows from the path
  form: UseFormReturnType<any>,
  path: string,
  id: string,
  property: string,
): string | undefined {
  const index = form.getInputProps(path).value.findIndex((item: { id: string }) => item.id === id)
  return index < 0 ? undefined : `${path}.${index}.${property}`
}
