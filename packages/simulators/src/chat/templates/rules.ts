/** What the checks of a submitted template know about the account. */
export interface SubmissionRules {
  /** Type of the uploaded file; undefined if no finished upload has this handle. */
  readonly fileOfHandle: (handle: string) => string | undefined
  readonly hasCatalog: boolean
}
