/**
 * The closed list of refusals, with the status that each one has. A code is permanent: clients may rely on it.
 * Its words stand in `i18n`, in every language.
 */
export const refusals = {
  invalid: 422,
  malformed: 400,
  wrong_login: 401,
  signed_out: 401,
  not_allowed: 403,
  right_not_held: 403,
  password_needed: 403,
  forged: 403,
  not_found: 404,
  link_ended: 404,
  method_not_allowed: 405,
  stale: 409,
  last_manager: 409,
  role_in_use: 409,
  base_role: 409,
  own_account: 409,
  file_in_use: 409,
  fixed_page: 409,
  page_in_bin: 409,
  page_not_in_bin: 409,
  too_large: 413,
  url_too_long: 414,
  unsupported_type: 415,
  too_many: 429,
  contact_failed: 500,
  unexpected: 500,
  unavailable: 503,
} as const satisfies Record<string, number>

export type RefusalCode = keyof typeof refusals

/** Why one value was refused: a key of `i18n/<locale>/validation.ts`, and the number that goes into its words. */
export interface FieldProblem {
  path: string
  key: ValidationKey
  limit?: number
}

export const validationKeys = [
  'required',
  'email',
  'url',
  'passwordMismatch',
  'passwordMin',
  'tooLong',
  'control',
  'unknownField',
  'type',
  'taken',
  'usernameIsEmail',
  'wrongPassword',
  'wrongCode',
  'passkey',
  'unknownRole',
  'unknownUser',
  'ownAddress',
  'value',
  'tooMany',
  'tooManyPages',
  'pageTooLarge',
  'fileEmpty',
  'fileTooLarge',
  'fileType',
  'fileBroken',
  'fileOtherKind',
  'fileGone',
  'pictureTooLarge',
  'pictureFrames',
  'drawingTooLarge',
  'drawingParts',
  'drawingAttributes',
  'drawingLevels',
  'slugForm',
  'slugReserved',
  'slugTaken',
  'slugFixed',
  'past',
  'beforePublish',
  'keepsPublished',
  'redirectFrom',
  'redirectTo',
  'pageThere',
  'redirectTaken',
  'redirectLoop',
  'colour',
  'time',
  'closesFirst',
  'picturePath',
  'pictureGone',
  'origin',
  'itemId',
  'kvk',
  'vatId',
  'country',
  'twice',
  'dutchStays',
  'contactFields',
  'numberLeast',
  'numberMost',
  'notJson',
  'newerVersion',
  'unknownVersion',
] as const
export type ValidationKey = (typeof validationKeys)[number]

/** Thrown where something is refused; everything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly problems: FieldProblem[]
  /** Seconds, for `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Methods, for `Allow`. */
  readonly allow: string[] | undefined
  /** What stands now, for somebody who saved over an older version. */
  readonly current: unknown

  constructor(
    code: RefusalCode,
    more: { problems?: FieldProblem[]; retryAfter?: number; allow?: string[]; current?: unknown } = {},
  ) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.problems = more.problems ?? []
    this.retryAfter = more.retryAfter
    this.allow = more.allow
    this.current = more.current
  }

  get status() {
    return refusals[this.code]
  }
}
