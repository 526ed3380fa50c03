/**
 * Something as answers write it: the JSON of it by its schema, in UTF-8, finished by whoever read it. The domain passes it on and
 * does not look inside.
 */
export class Rendered<out A> {
  declare protected readonly of: A
  readonly json: Uint8Array

  constructor(json: Uint8Array) {
    this.json = json
  }
}

/** A row of a list that is passed on as it was rendered, and its key in the order of the list. */
export interface RenderedRow<A> {
  readonly rendered: Rendered<A>
  readonly key: ReadonlyArray<string>
}

/** What was found of a list that is passed on as it was rendered. */
export interface RenderedRows<A> {
  readonly rows: ReadonlyArray<RenderedRow<A>>
  /** The key after which to look on; `null` if everything was looked through, or as much was found as was asked for. */
  readonly resume: ReadonlyArray<string> | null
}
