import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { useLocale } from '../../i18n.ts'
import styles from './blocks.module.css'

/** A line below the name of a block that is easily taken for another. */
export function BlockHint({ type }: { type: BlockType }) {
  const labels: { hint?: string } = blocks[type].labels[useLocale()]
  return labels.hint && <small className={styles.hint}>{labels.hint}</small>
}
