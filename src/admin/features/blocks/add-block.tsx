import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { BlockHint } from './block-names.tsx'
import styles from './blocks.module.css'

const all = Object.keys(blocks) as BlockType[]
const isSection = (type: BlockType) => 'fullWidth' in blocks[type] && blocks[type].fullWidth

/** Chooses the type of a new block. Full-width sections are listed apart from other blocks. */
export function AddBlock(props: {
  types?: readonly BlockType[] | undefined
  onChoose: (type: BlockType) => void
  onClose: () => void
}) {
  const { types = all, onChoose, onClose } = props
  const t = useText()
  const uiLocale = useLocale()
  const { compare } = new Intl.Collator(uiLocale)
  const nameOf = (type: BlockType) => blocks[type].labels[uiLocale].name
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
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}
