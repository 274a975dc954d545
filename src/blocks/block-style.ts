import { z } from 'zod'
import type { AdminLocale } from '../contract/locales.ts'
import { surfaces } from '../contract/surfaces.ts'
import { imageUrl } from '../contract/url.ts'

const choices = {
  /** Omitted: the block's own background. `plain` is that of the page. */
  background: z.enum(surfaces).optional(),
  /** The image of the background `picture`. Another background keeps it, but does not show it. */
  picture: imageUrl.optional(),
  space: z.enum(['none', 'small', 'normal', 'large']).optional(),
  width: z.enum(['narrow', 'normal', 'wide', 'full']).optional(),
  align: z.enum(['start', 'center']).optional(),
  /** The upper edge; omitted: the block's own. `straight` is a thin line, `none` joins the previous block. */
  edge: z.enum(['none', 'wave', 'straight', 'slant']).optional(),
}

const hasBackgroundImage = ({
  background,
  picture,
}: {
  background?: string | undefined
  picture?: string | undefined
}) => background !== 'picture' || picture !== undefined

const imageRequired = { path: ['picture'], error: 'required' }

/** The style of a block on a page, in words that the stylesheet knows: no colours and no sizes. */
export const blockStyle = z.strictObject(choices).refine(hasBackgroundImage, imageRequired).meta({ id: 'BlockStyle' })

/** The style of a block with an image beside its text. */
export const blockStyleWithSide = z
  .strictObject({ ...choices, side: z.enum(['start', 'end']).optional() })
  .refine(hasBackgroundImage, imageRequired)
  .meta({ id: 'BlockStyleWithSide' })

export type BlockStyle = z.output<typeof blockStyleWithSide>

/** Labels of the style, its fields and their choices, by path in the block. */
export const styleLabels: Record<AdminLocale, Readonly<Record<string, string>>> = {
  nl: {
    style: 'Stijl',
    'style.background': 'Achtergrond',
    'style.background.plain': 'Effen',
    'style.background.tinted': 'Getint',
    'style.background.dark': 'Donker',
    'style.background.accent': 'Accent',
    'style.background.picture': 'Foto',
    'style.picture': 'Foto op de achtergrond',
    'style.space': 'Ruimte',
    'style.space.none': 'Geen',
    'style.space.small': 'Klein',
    'style.space.normal': 'Normaal',
    'style.space.large': 'Groot',
    'style.width': 'Breedte',
    'style.width.narrow': 'Smal',
    'style.width.normal': 'Normaal',
    'style.width.wide': 'Breed',
    'style.width.full': 'Volledig',
    'style.align': 'Uitlijning',
    'style.align.start': 'Begin',
    'style.align.center': 'Midden',
    'style.edge': 'Bovenrand',
    'style.edge.none': 'Geen',
    'style.edge.wave': 'Golf',
    'style.edge.straight': 'Lijn',
    'style.edge.slant': 'Schuin',
    'style.side': 'Plaats van de foto',
    'style.side.start': 'Begin',
    'style.side.end': 'Einde',
  },
  fa: {
    style: 'سبک',
    'style.background': 'پس‌زمینه',
    'style.background.plain': 'ساده',
    'style.background.tinted': 'رنگ ملایم',
    'style.background.dark': 'تیره',
    'style.background.accent': 'رنگ تأکید',
    'style.background.picture': 'عکس',
    'style.picture': 'عکس پس‌زمینه',
    'style.space': 'فاصله',
    'style.space.none': 'بدون فاصله',
    'style.space.small': 'کم',
    'style.space.normal': 'معمولی',
    'style.space.large': 'زیاد',
    'style.width': 'پهنا',
    'style.width.narrow': 'باریک',
    'style.width.normal': 'معمولی',
    'style.width.wide': 'پهن',
    'style.width.full': 'تمام‌پهنا',
    'style.align': 'چینش',
    'style.align.start': 'از آغاز سطر',
    'style.align.center': 'وسط',
    'style.edge': 'لبهٔ بالا',
    'style.edge.none': 'بدون لبه',
    'style.edge.wave': 'موج',
    'style.edge.straight': 'خط',
    'style.edge.slant': 'مورب',
    'style.side': 'جای عکس',
    'style.side.start': 'آغاز سطر',
    'style.side.end': 'پایان سطر',
  },
  en: {
    style: 'Style',
    'style.background': 'Background',
    'style.background.plain': 'Plain',
    'style.background.tinted': 'Tinted',
    'style.background.dark': 'Dark',
    'style.background.accent': 'Accent',
    'style.background.picture': 'Photo',
    'style.picture': 'Photo in the background',
    'style.space': 'Space',
    'style.space.none': 'None',
    'style.space.small': 'Small',
    'style.space.normal': 'Normal',
    'style.space.large': 'Large',
    'style.width': 'Width',
    'style.width.narrow': 'Narrow',
    'style.width.normal': 'Normal',
    'style.width.wide': 'Wide',
    'style.width.full': 'Full',
    'style.align': 'Alignment',
    'style.align.start': 'Start',
    'style.align.center': 'Centre',
    'style.edge': 'Top edge',
    'style.edge.none': 'None',
    'style.edge.wave': 'Wave',
    'style.edge.straight': 'Line',
    'style.edge.slant': 'Slanted',
    'style.side': 'Place of the photo',
    'style.side.start': 'Start',
    'style.side.end': 'End',
  },
}
