/**
 * The closed list of refusals, each with its HTTP status. Codes are permanent: clients may rely on them. Their messages
 * are in `i18n`. An HTTP error of a library gets the first code with its status, so the order matters.
 */
export const refusals = {
  invalid: 422,
  malformed: 400,

  // Signing in and permissions
  wrong_login: 401,
  signed_out: 401,
  not_allowed: 403, // the user lacks the right that the request needs
  right_not_held: 403, // gives or takes away a right that the user lacks, or concerns a user with such a right
  page_locked: 403,
  password_needed: 403, // sensitive: the password must be entered again; without a password, sign in again
  password_expired: 403, // chosen by somebody else before the user got more rights: a new one is required
  forged: 403, // a cross-site request

  // Addresses
  not_found: 404,
  link_ended: 404, // the link from an email was used or has expired
  method_not_allowed: 405,
  gone: 410, // an address that is gone for good

  // Conflicts with what is stored
  stale: 409, // the record was saved by somebody else since the client loaded it
  last_manager: 409, // nobody could manage users or roles any more
  role_in_use: 409,
  base_role: 409, // the role that every user has cannot be deleted
  own_account: 409, // users cannot do this with their own account, such as blocking it
  file_in_use: 409,
  section_in_use: 409,
  fixed_page: 409,
  page_in_bin: 409,
  page_not_in_bin: 409,
  nothing_to_review: 409,
  review_ended: 409, // the review was decided, withdrawn or replaced meanwhile
  review_waits: 409, // a text of another writer already waits for review

  // Requests that are too large or too many
  too_large: 413,
  url_too_long: 414,
  unsupported_type: 415,
  too_many: 429,

  // Failures of the server
  contact_failed: 500, // `unexpected` for a visitor's message, with a text about the message
  unexpected: 500,
  contact_unavailable: 503, // `unavailable` for a visitor's message
  unavailable: 503,
  storage_unavailable: 503,
  storage_full: 507,
} as const satisfies Record<string, number>

export type RefusalCode = keyof typeof refusals

export interface FieldProblem {
  /** Keys and indexes with dots between them, such as `fields.0.label`; empty: the whole input. */
  path: string
  /** Why the value was refused: a key of `validation` in `i18n/<locale>/errors.ts`. */
  key: ValidationKey
  /** The number in the message of the key, such as the maximum length. */
  limit?: number
}

/** The keys are permanent, like the codes of refusals. */
export const validationKeys = [
  // Any field
  'required',
  'email',
  'url',
  'passwordMismatch',
  'passwordMin',
  'passwordCommon',
  'passwordIsEmail',
  'tooLong',
  'control', // a control character, a broken character or too many marks on one
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
  'ownAddress', // the reply address is neither the sender's, a recipient's nor the user's own
  'value', // any other invalid value
  'tooMany',
  'numberLeast',
  'numberMost',

  // Pages, sections and files
  'tooManyPages',
  'tooManyBlocks',
  'pageTooLarge',
  'filledPageTooLarge', // too large once its placeholders are filled in
  'fileEmpty',
  'fileTooLarge',
  'fileType',
  'fileBroken',
  'fileTooSlow',
  'fileOtherKind', // a file can only be replaced by one of the same kind
  'fileGone',
  'sectionGone',
  'sectionInFile', // a configuration file has no shared sections
  'pageOnly', // a block that the header and the footer cannot contain
  'sectionCircle', // a section would contain itself
  'sectionTooLarge',
  'tooManySections',
  'imageTooLarge',
  'imageFrames',
  'svgTooLarge',
  'svgParts',
  'svgAttributes',
  'svgLevels',

  // Locks: some roles may change only the texts and images of a page or block
  'locked',
  'lockedAdded',
  'lockedRemoved',
  'lockedMoved',
  'lockedEntries', // a locked block has another number of entries in a list
  'lockedLink',
  'lockBindsYou', // the lock would apply to the user who sets it
  'blockNotSaved', // a block must be saved before it can be locked

  // Addresses of pages
  'slugForm',
  'slugReserved',
  'slugTaken',
  'slugFixed',
  'fixedPages',
  'blockId',
  'className',
  'entrySlug', // the slug of an entry is not below that of its collection
  'collectionGone',
  'collectionMoves', // the address of a collection with entries cannot change

  // Values of entries, schedules and backups
  'date',
  'number',
  'choice',
  'past',
  'beforePublish', // a page would be unpublished before it is published
  'keepsPublished', // a page that must stay published cannot be unpublished
  'backupFolder',
  'backupTarget',

  // Redirects
  'redirectFrom',
  'redirectTo',
  'pageThere', // the source of the redirect is the address of a page
  'redirectTaken',
  'redirectLoop',

  // The configuration
  'colour',
  'time',
  'closesFirst', // the closing time is not after the opening time
  'imagePath',
  'imageGone',
  'videoUrl',
  'filmUrl',
  'captionsUrl',
  'downloadUrl',
  'origin',
  'allRights', // only a user with every right may change the value
  'itemId',
  'kvk',
  'vatId',
  'country',
  'twice',
  'rootStays', // the language at the root cannot be removed from the site
  'rootWithoutHome', // the home page must be published in the language that becomes the one at the root
  'languageTag',
  'languageReserved',
  'languageInUse',
  'languageGone',
  'textPlaceholders',
  'contactFields',

  // Forms (their definition, then what visitors fill in) and menus
  'formOptions',
  'formCondition',
  'formEmail',
  'formChoice',
  'formNumber',
  'formNumberUnclear',
  'formDate',
  'formDateYear',
  'formAppointment',
  'menuPage',
  'menuTarget',
  'menuEmpty',
  'menuTooDeep',

  // The mail server, and reading a configuration file
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
  /** The methods that the address supports, for the `Allow` header. */
  readonly allow: string[] | undefined
  /** The stored record, when the client's version is outdated; with `file_in_use` the usages of the file. */
  readonly current: unknown

  constructor(
    code: RefusalCode,
    details: { problems?: FieldProblem[]; retryAfter?: number; allow?: string[]; current?: unknown } = {},
  ) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.problems = details.problems ?? []
    this.retryAfter = details.retryAfter
    this.allow = details.allow
    this.current = details.current
  }

  get status() {
    return refusals[this.code]
  }
}
