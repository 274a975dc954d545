import { Button } from '@mantine/core'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { BlockHint } from './block-hint.tsx'
import styles from './blocks.module.css'

const all = Object.keys(blocks) as BlockType[]
const isSection = (type: BlockType) => 'band' in blocks[type] && blocks[type].band

/** Asks which block is wanted. Sections, which are as wide as the page, stand apart from what is put in between. */
export function AddBlock(props: {
  types?: readonly BlockType[] | undefined
  onChoose: (type: BlockType) => void
  onClose: () => void
}) {
  const { types = all, onChoose, onClose } = props
  const t = useText()
  const spoken = useLocale()
  const { compare } = new Intl.Collator(spoken)
  const nameOf = (type: BlockType) => blocks[type].labels[spoken].name
  const groups = [
    { title: t('blocks.sections'), found: types.filter(isSection) },
    { title: t('blocks.parts'), found: types.filter((type) => !isSection(type)) },
  ].filter(({ found }) => found.length > 0)
  return (
    <Dialog title={t('blocks.addTitle')} wide onClose={onClose}>
      {groups.map(({ title, found }) => (
        <section key={title} className={styles.types}>
          {groups.length > 1 && <h3>{title}</h3>}
          <ul>
            {[...found]
              .sort((one, other) => compare(nameOf(one), nameOf(other)))
              .map((type) => (
                <li key={type}>
                  <button type="button" onClick={() => onChoose(type)}>
                    <span>
                      {nameOf(type)}
                      <BlockHint type={type} />
                    </span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('form.cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
