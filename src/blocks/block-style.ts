import { z } from 'zod'
import type { AdminLocale } from '../contract/locales.ts'
import { surfaces } from '../contract/surfaces.ts'
import { imageUrl } from '../contract/url.ts'

const choices = {
  /** Omitted: the block's default. `plain` is the background of the page. */
  background: z.enum(surfaces).optional(),
  /** The image of the background `picture`. With another background it stays stored, but is not shown. */
  picture: imageUrl.optional(),
  space: z.enum(['none', 'small', 'normal', 'large']).optional(),
  width: z.enum(['narrow', 'normal', 'wide', 'full']).optional(),
  align: z.enum(['start', 'center']).optional(),
  /** The upper edge; omitted: the block's default. `straight` is a thin line, `none` joins the previous block. */
  edge: z.enum(['none', 'wave', 'straight', 'slant']).optional(),
}

const hasImageIfRequired = ({
  background,
  picture,
}: {
  background?: string | undefined
  picture?: string | undefined
}) => background !== 'picture' || picture !== undefined

const imageRequired = { path: ['picture'], error: 'required' }

/** The style of a block on a page. It names choices of the stylesheet, not colours or sizes. */
export const blockStyle = z.strictObject(choices).refine(hasImageIfRequired, imageRequired).meta({ id: 'BlockStyle' })

/** The style of a block with an image beside its text. */
export const blockStyleWithSide = z
  .strictObject({ ...choices, side: z.enum(['start', 'end']).optional() })
  .refine(hasImageIfRequired, imageRequired)
  .meta({ id: 'BlockStyleWithSide' })

export type BlockStyle = z.output<typeof blockStyleWithSide>

/** Labels of the style, its fields and their choices, by path in the block. */
export const styleLabels: Readonly<Record<string, Record<AdminLocale, string>>> = {
  style: { nl: 'Stijl', fa: 'سبک', en: 'Style' },
  'style.background': { nl: 'Achtergrond', fa: 'پس‌زمینه', en: 'Background' },
  'style.background.plain': { nl: 'Effen', fa: 'ساده', en: 'Plain' },
  'style.background.tinted': { nl: 'Getint', fa: 'رنگ ملایم', en: 'Tinted' },
  'style.background.dark': { nl: 'Donker', fa: 'تیره', en: 'Dark' },
  'style.background.accent': { nl: 'Accent', fa: 'رنگ تأکید', en: 'Accent' },
  'style.background.picture': { nl: 'Foto', fa: 'عکس', en: 'Photo' },
  'style.picture': { nl: 'Foto op de achtergrond', fa: 'عکس پس‌زمینه', en: 'Photo in the background' },
  'style.space': { nl: 'Ruimte', fa: 'فاصله', en: 'Space' },
  'style.space.none': { nl: 'Geen', fa: 'بدون فاصله', en: 'None' },
  'style.space.small': { nl: 'Klein', fa: 'کم', en: 'Small' },
  'style.space.normal': { nl: 'Normaal', fa: 'معمولی', en: 'Normal' },
  'style.space.large': { nl: 'Groot', fa: 'زیاد', en: 'Large' },
  'style.width': { nl: 'Breedte', fa: 'پهنا', en: 'Width' },
  'style.width.narrow': { nl: 'Smal', fa: 'باریک', en: 'Narrow' },
  'style.width.normal': { nl: 'Normaal', fa: 'معمولی', en: 'Normal' },
  'style.width.wide': { nl: 'Breed', fa: 'پهن', en: 'Wide' },
  'style.width.full': { nl: 'Volledig', fa: 'تمام‌پهنا', en: 'Full' },
  'style.align': { nl: 'Uitlijning', fa: 'چینش', en: 'Alignment' },
  'style.align.start': { nl: 'Begin', fa: 'از آغاز سطر', en: 'Start' },
  'style.align.center': { nl: 'Midden', fa: 'وسط', en: 'Centre' },
  'style.edge': { nl: 'Bovenrand', fa: 'لبهٔ بالا', en: 'Top edge' },
  'style.edge.none': { nl: 'Geen', fa: 'بدون لبه', en: 'None' },
  'style.edge.wave': { nl: 'Golf', fa: 'موج', en: 'Wave' },
  'style.edge.straight': { nl: 'Lijn', fa: 'خط', en: 'Line' },
  'style.edge.slant': { nl: 'Schuin', fa: 'مورب', en: 'Slanted' },
  'style.side': { nl: 'Plaats van de foto', fa: 'جای عکس', en: 'Place of the photo' },
  'style.side.start': { nl: 'Begin', fa: 'آغاز سطر', en: 'Start' },
  'style.side.end': { nl: 'Einde', fa: 'پایان سطر', en: 'End' },
}
