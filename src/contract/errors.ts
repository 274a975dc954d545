/**
 * The closed list of refusals, each with its HTTP status. Codes are permanent: clients may rely on them. Their messages
 * are in `i18n`.
 */
export const refusals = {
  invalid: 422,
  malformed: 400,
  wrong_login: 401,
  signed_out: 401,
  not_allowed: 403,
  right_not_held: 403,
  page_locked: 403,
  password_needed: 403,
  password_expired: 403,
  forged: 403,
  not_found: 404,
  link_ended: 404,
  method_not_allowed: 405,
  gone: 410,
  stale: 409,
  last_manager: 409,
  role_in_use: 409,
  base_role: 409,
  own_account: 409,
  file_in_use: 409,
  section_in_use: 409,
  fixed_page: 409,
  page_in_bin: 409,
  page_not_in_bin: 409,
  nothing_to_review: 409,
  review_ended: 409,
  review_waits: 409,
  too_large: 413,
  url_too_long: 414,
  unsupported_type: 415,
  too_many: 429,
  contact_failed: 500,
  unexpected: 500,
  contact_unavailable: 503,
  unavailable: 503,
  storage_unavailable: 503,
  storage_full: 507,
} as const satisfies Record<string, number>

export type RefusalCode = keyof typeof refusals

/** Why one value was refused: a key of `validation` in `i18n/<locale>/errors.ts`, and the number used in its message. */
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
  'passwordCommon',
  'passwordIsEmail',
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
  'unknownBranding',
  'ownAddress',
  'value',
  'tooMany',
  'tooManyPages',
  'tooManyBlocks',
  'pageTooLarge',
  'filledPageTooLarge',
  'fileEmpty',
  'fileTooLarge',
  'fileType',
  'fileBroken',
  'fileTooSlow',
  'fileOtherKind',
  'fileGone',
  'sectionGone',
  'sectionInFile',
  'pageOnly',
  'sectionCircle',
  'locked',
  'lockedAdded',
  'lockedRemoved',
  'lockedMoved',
  'lockedEntries',
  'lockedLink',
  'lockBindsYou',
  'blockNotSaved',
  'sectionTooLarge',
  'tooManySections',
  'imageTooLarge',
  'imageFrames',
  'svgTooLarge',
  'svgParts',
  'svgAttributes',
  'svgLevels',
  'slugForm',
  'slugReserved',
  'slugTaken',
  'slugFixed',
  'fixedPages',
  'blockId',
  'className',
  'entrySlug',
  'collectionGone',
  'collectionMoves',
  'date',
  'number',
  'choice',
  'past',
  'beforePublish',
  'keepsPublished',
  'backupFolder',
  'backupTarget',
  'redirectFrom',
  'redirectTo',
  'pageThere',
  'redirectTaken',
  'redirectLoop',
  'colour',
  'time',
  'closesFirst',
  'imagePath',
  'imageGone',
  'videoUrl',
  'filmUrl',
  'captionsUrl',
  'downloadUrl',
  'origin',
  'itemId',
  'kvk',
  'vatId',
  'country',
  'twice',
  'rootStays',
  'rootWithoutHome',
  'languageTag',
  'languageReserved',
  'languageInUse',
  'languageGone',
  'textPlaceholders',
  'contactFields',
  'formOptions',
  'formCondition',
  'formEmail',
  'formChoice',
  'formNumber',
  'formNumberUnclear',
  'formDate',
  'formAppointment',
  'menuPage',
  'menuTarget',
  'menuEmpty',
  'menuTooDeep',
  'numberLeast',
  'numberMost',
  'mailHostForm',
  'mailPasswordAgain',
  'mailHost',
  'mailConnect',
  'mailSilent',
  'mailGreeting',
  'mailEncrypt',
  'mailCertificate',
  'mailSignIn',
  'mailNoSignIn',
  'mailSender',
  'mailRecipient',
  'mailContent',
  'notJson',
  'newerVersion',
  'unknownVersion',
] as const
export type ValidationKey = (typeof validationKeys)[number]

/** Thrown when a request is refused; any other exception is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly problems: FieldProblem[]
  /** In seconds, for the `Retry-After` header. */
  readonly retryAfter: number | undefined
  /** For the `Allow` header. */
  readonly allow: string[] | undefined
  /** The stored state, when the client's version is outdated. */
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
