import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { notify } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { moved } from '../blocks/sortable-rows.tsx'
import { hasErrorsIn, withItemBack } from './values.ts'

/**
 * A list of items in a form. One item is unfolded at a time, and those with an error; a removed one can be put back.
 * @param pathNow the path of a list in another list, whose index may have changed by then; undefined when it is gone
 */
export function useItems<Item extends { id: string }>(options: {
  // biome-ignore lint/suspicious/noExplicitAny: the form's type follows from the path
  form: UseFormReturnType<any>
  path: string
  pathNow?: () => string | undefined
  nameOf: (item: Item) => string
  /** The notification for a removed item. */
  removed?: 'config.offer.removed' | 'config.collections.removed'
}) {
  const { form, path, pathNow = () => path, nameOf, removed = 'config.offer.removed' } = options
  const items: Item[] = form.getInputProps(path).value
  const [open, setOpen] = useState<string>()
  const set = (next: Item[], at = path) => {
    form.clearErrors()
    form.setFieldValue(at, next)
  }
  const remove = (item: Item, index: number) => {
    set(items.filter(({ id }) => id !== item.id))
    notify(<Translated text={removed} name={<bdi>{nameOf(item)}</bdi>} />, () => {
      const at = pathNow()
      if (at) set(withItemBack(form.getInputProps(at).value, item, index), at)
    })
  }
  return {
    items,
    add(item: Item) {
      set([...items, item])
      setOpen(item.id)
    },
    /** The props of a `SortableList`. */
    sortable: {
      items,
      keyOf: ({ id }: Item) => id,
      nameOf,
      onMove: (from: number, to: number) => set(moved(items, from, to)),
    },
    /** The props of an item's `Foldable`. */
    foldable: (item: Item, index: number) => ({
      name: nameOf(item),
      open: open === item.id || hasErrorsIn(form, `${path}.${index}`),
      onToggle: () => setOpen(open === item.id ? undefined : item.id),
      onRemove: () => remove(item, index),
    }),
  }
}

/** The path of a list in an item of another list, which may have moved; undefined when the item is gone. */
export function pathOfItem(
  // biome-ignore lint/suspicious/noExplicitAny: the form's type follows from the path
  form: UseFormReturnType<any>,
  path: string,
  id: string,
  name: string,
): string | undefined {
  const index = form.getInputProps(path).value.findIndex((item: { id: string }) => item.id === id)
  return index < 0 ? undefined : `${path}.${index}.${name}`
}
