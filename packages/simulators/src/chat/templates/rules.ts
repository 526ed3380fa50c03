/** File of a finished upload. */
export interface UploadedFile {
  readonly fileType: string
  readonly fileLength: number
}

/** What the checks of a submitted template know about the account. */
export interface SubmissionRules {
  /** Uploaded file; undefined if no finished upload has this handle. */
  readonly fileOfHandle: (handle: string) => UploadedFile | undefined
  readonly hasCatalog: boolean
}
