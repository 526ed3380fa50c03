/** What an area promises of its endpoints, in tables that are shown as they stand. */
export interface Promised {
  /**
   * Who may call what. "token" is an automation token without a permission; "no" is a refusal for want of the permission
   * in the second column; three outcomes are those on the plans free, growth and scale.
   */
  readonly answers: string
  /** What a change by each endpoint that writes is called in the trail; `null` for what changes nothing that anybody could look up. */
  readonly trails?: Readonly<Record<string, string | null>>
}
