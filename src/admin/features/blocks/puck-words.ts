import type { Dictionary } from '@puckeditor/core'
import type { Say } from '../../i18n.ts'

/** The words that Puck itself shows. Those of parts that are not used here are left as they are. */
export const puckWords = (t: Say): Dictionary => ({
  'header-undo': t('blocks.text.undo'),
  'header-redo': t('blocks.text.redo'),
  'action-selectparent': t('blocks.visual.around'),
  'action-duplicate': t('blocks.visual.duplicate'),
  'action-delete': t('form.delete'),
  'label-page': t('blocks.visual.page'),
  'label-component': t('blocks.visual.block'),
  'outline-empty': t('blocks.empty'),
  'loader-loading': t('states.waiting'),
})
