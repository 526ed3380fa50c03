/** Says which addresses accounts may have, where they have one of their own. */
export interface EndpointPolicy {
  /** What is wrong with an address; `null` if messages can be posted there. */
  readonly faultOf: (url: string) => string | null
}
